/**
 * Whether a text names one of these e-mail addresses: the whole of it, in whatever case, as it is or percent-encoded, and not merely as the end or
 * the beginning of a longer one. The text may be JSON, a form or a URL: what is escaped around the address is read as what it stands for.
 */
export function mentions(text: string, email: string): boolean {
  const within = text.toLowerCase()
  const address = email.toLowerCase()
  const encoded = encodeURIComponent(email).toLowerCase()
  return isWhole(within, address, before => before) || isWhole(within, encoded, blanksOf)
}

/** Enough to tell what stands beside an address, escapes and all. */
const besideAtMost = 24

function isWhole(text: string, address: string, read: (before: string) => string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const end = at + address.length
    const before = unescaped(read(text.slice(Math.max(0, at - besideAtMost), at)))
    const after = unescaped(text.slice(end, end + besideAtMost))
    if (!goesOnBefore.test(before) && !goesOnAfter.test(after)) return true
  }
  return false
}

/**
 * A local part may also hold `=`, `/`, `?`, `&` and the like, but nobody is given such an address, and that is how addresses stand in URLs. Of those that
 * people do have, a quote or a bullet before the address is none where no letter goes before it.
 */
const goesOnBefore = /[\p{Script=Latin}\d_][.'+%-]*$/u

/** A full stop or a dash ends a sentence, unless the domain goes on behind it. */
const goesOnAfter = /^[.-]?[\p{Script=Latin}\d]/u

/** In what is percent-encoded, a plus is a blank: where it is meant, it is %2b. */
const blanksOf = (text: string) => text.replaceAll('+', ' ')

/** A text in lower case with the escapes of JSON and of URLs read: a line break, however often it was quoted, is no letter n. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|[bfnrt])|%([0-9a-f]{2})/g, (_, unit, byte) => {
    const code = unit ?? byte
    return code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)).toLowerCase()
  })
}
