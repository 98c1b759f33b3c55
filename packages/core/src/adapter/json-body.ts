/** Deeper nesting than this is no provider's: it would overflow the stack of whoever writes it as JSON again. */
const deepest = 100

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a body as JSON in UTF-8 (a byte order mark is skipped). Never throws: `problem` ends a sentence that begins with "the body".
 * What databases cannot keep as text (U+0000, half a surrogate pair) becomes U+FFFD, `__proto__` keys are left out, and numbers too large are null.
 */
export function parseJsonBody(body: Uint8Array): { value: unknown } | { problem: string } {
  let text: string
  try {
    text = utf8.decode(body)
  } catch {
    return { problem: 'is not UTF-8' }
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { problem: 'is not JSON' }
  }
  if (opens(text) > deepest && isTooDeep(parsed)) return { problem: `nests deeper than ${deepest} levels` }
  return { value: suspicious.test(text) ? storable(parsed) : parsed }
}

/**
 * JSON that may hold what `storable` changes: a number with an exponent or of many digits, the key `__proto__`, or an escape that may be U+0000, half a
 * surrogate pair or a letter of that key. Copying every value took two thirds of a body's reading.
 */
const suspicious = /\\u(?:00[05-7]|[dD])|__proto__|(?:^|[[:,\s])-?\d+(?:\.\d+)?[eE]|\d{300}/

/** Text that every database keeps as it is: without U+0000 and without halves of surrogate pairs. */
export function storableText(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
}

/** How many brackets and braces open, also in strings: what nests deeper has more. */
function opens(text: string): number {
  return text.match(/[[{]/g)?.length ?? 0
}

/** Level by level, not by recursion, which is what deep nesting would break. */
function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(storable)
  const entries = Object.entries(value).filter(([name]) => name !== '__proto__')
  return Object.fromEntries(entries.map(([name, item]) => [storableText(name), storable(item)]))
}
