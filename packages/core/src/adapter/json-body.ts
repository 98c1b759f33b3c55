/** Deeper nesting than this is no provider's: it would overflow the stack of whoever writes it as JSON again. */
const deepest = 100

/**
 * Parses a body as JSON in UTF-8 (a byte order mark is skipped). Never throws: `problem` ends a sentence that begins with "the body".
 * What databases cannot keep as text (U+0000, half a surrogate pair) becomes U+FFFD, `__proto__` keys are left out, and numbers too large are null.
 */
export function parseJsonBody(body: Uint8Array): { value: unknown } | { problem: string } {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return { problem: 'is not UTF-8' }
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { problem: 'is not JSON' }
  }
  if (isTooDeep(parsed)) return { problem: `nests deeper than ${deepest} levels` }
  return { value: storable(parsed) }
}

/** Text that every database keeps as it is: without U+0000 and without halves of surrogate pairs. */
export function storableText(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
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
