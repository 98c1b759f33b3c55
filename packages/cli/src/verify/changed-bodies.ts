/** A body as it may have been before something parsed it and wrote it anew, and how that one reads in a sentence. */
export type Changed = [body: Uint8Array, how: string]

/** The usual ways in which frameworks and editors rewrite a body, undone one by one. */
export function* changedBodies(body: Uint8Array): Generator<Changed> {
  const text = Buffer.from(body).toString()
  for (const [changed, how] of [...lineEnds(text), ...jsonForms(text), ...formForms(text)])
    yield [Buffer.from(changed), how]
}

type ChangedText = [text: string, how: string]

function* lineEnds(text: string): Generator<ChangedText> {
  yield [text.trimEnd(), 'without the line break at its end']
  yield [`${text}\n`, 'with a line break at its end']
  yield [`${text}\r\n`, 'with a line break (CRLF) at its end']
  yield [text.replaceAll('\r\n', '\n'), 'with LF for CRLF']
  yield [text.replace(/\r?\n/g, '\r\n'), 'with CRLF for LF']
}

function* jsonForms(text: string): Generator<ChangedText> {
  const value = jsonOf(text)
  if (typeof value !== 'object' || value === null) return
  const pretty = JSON.stringify(value, null, 1)
  const spacings: ChangedText[] = [
    [JSON.stringify(value), 'without blanks between its values'],
    [text.trim(), 'as it stands'],
    [pretty.replace(/,\n\s*/g, ', ').replace(/\n\s*/g, ''), 'with a blank after each comma and colon'],
    [JSON.stringify(value, null, 2), 'indented by two'],
  ]
  for (const [spaced, how] of spacings)
    for (const [escaped, and] of escapes(spaced)) {
      yield [escaped, `${how}${and}`]
      for (const decimal of decimals(escaped)) yield [decimal, `${how}${and}, with a number written as 50.0`]
    }
}

/** What other languages escape in JSON and JavaScript does not. */
function escapes(text: string): ChangedText[] {
  const unicode = (from: string) =>
    from.replace(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const html = (from: string) => from.replace(/[&<>]/g, unit => `\\u00${unit.charCodeAt(0).toString(16)}`)
  const slashes = (from: string) => from.replaceAll('/', '\\/')
  return [
    [text, ''],
    [html(text), ', with & < > as \\u0026 \\u003c \\u003e'],
    [unicode(text), ', with letters beyond ASCII as \\u escapes'],
    [unicode(html(text)), ', with & < > and letters beyond ASCII as \\u escapes'],
    [slashes(text), ', with / as \\/'],
    [unicode(slashes(text)), ', with / as \\/ and letters beyond ASCII as \\u escapes'],
  ]
}

/** More whole numbers than this are not tried. */
const mostNumbers = 100

/** `50.0` comes back from JSON.parse as 50: each whole number is given its fraction back, one at a time. */
function* decimals(text: string): Generator<string> {
  let tried = 0
  for (const { index, 0: found } of text.matchAll(/(?<=[:[,]\s*)-?\d+(?=\s*[,}\]])/g)) {
    tried += 1
    if (tried > mostNumbers) return
    yield `${text.slice(0, index)}${found}.0${text.slice(index + found.length)}`
  }
}

function* formForms(text: string): Generator<ChangedText> {
  const value = jsonOf(text)
  const isObject = typeof value === 'object' && value !== null
  if (!isObject && !/^[^\s{[]+=/.test(text)) return
  // Whatever the values are, they are written as text.
  const written = new URLSearchParams(isObject ? (value as Record<string, string>) : text.trim()).toString()
  const how = isObject ? 'as a form, which it was before JSON' : 'with its form values encoded as browsers do'
  yield [written, how]
  yield [written.replaceAll('+', '%20'), `${how}, and %20 for each blank`]
  yield [text.trim().replaceAll('%20', '+'), 'with + for each blank']
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
