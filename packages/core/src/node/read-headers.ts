import type { IncomingHttpHeaders } from 'node:http'

/** Node's headers, or those that a platform made up (any case, arrays), as `Headers`. What is no header is left out. */
export function readHeaders(given: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given))
    for (const one of [value].flat()) if (one !== undefined) append(headers, name, one)
  return headers
}

/** HTTP/2's `:path`, and values with bytes that no header may hold. */
function append(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}
