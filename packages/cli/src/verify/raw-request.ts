import { gunzipSync, inflateSync } from 'node:zlib'
import { invalidOption } from '@booking-webhooks/core'
import { dechunked } from './dechunked.js'

/** An HTTP request as it went over the wire, taken apart. */
export interface RawRequest {
  method: string
  headers: Headers
  /** As HTTP reads it: cut at Content-Length, its chunks joined, inflated. */
  body: Uint8Array
  /** Everything after the head, as it stands in the file. */
  rest: Uint8Array
}

/**
 * Reads a request line, headers, an empty line and a body; lines may end in LF alone, as editors leave them.
 * INVALID_OPTION for anything else: there is nothing to verify then.
 */
export function rawRequest(bytes: Uint8Array): RawRequest {
  const file = Buffer.from(bytes)
  // Latin-1 has one character for each byte, so that places in the text are places in the file.
  const text = file.toString('latin1')
  const emptyLine = /\r?\n\r?\n/.exec(text)
  if (!emptyLine) throw notRaw('it has no empty line between the headers and the body')
  const [requestLine = '', ...lines] = text.slice(0, emptyLine.index).split(/\r?\n/)
  const method = /^([A-Z]+) \S+(?: HTTP\/\d(?:\.\d)?)?$/.exec(requestLine)?.[1]
  if (method === undefined) throw notRaw('its first line is not such as "POST /webhooks/calendly HTTP/1.1"')
  const headers = headersOf(lines)
  const rest = file.subarray(emptyLine.index + emptyLine[0].length)
  return { method, headers, body: inflated(framed(rest, headers), headers), rest }
}

function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers()
  for (const line of lines) {
    const [name = '', ...value] = line.split(':')
    if (value.length === 0 || !/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
      throw notRaw('a header has no name and colon')
    headers.append(name, value.join(':').trim())
  }
  return headers
}

function framed(rest: Buffer, headers: Headers): Uint8Array {
  if (/\bchunked\b/i.test(headers.get('transfer-encoding') ?? '')) return dechunked(rest)
  const length = Number(headers.get('content-length') ?? rest.length)
  return Number.isInteger(length) ? rest.subarray(0, length) : rest
}

function inflated(body: Uint8Array, headers: Headers): Uint8Array {
  const encoding = headers.get('content-encoding') ?? 'identity'
  try {
    if (/^(x-)?gzip$/i.test(encoding)) return gunzipSync(body)
    return /^deflate$/i.test(encoding) ? inflateSync(body) : body
  } catch {
    throw notRaw(`its body is not ${encoding}, as Content-Encoding says`)
  }
}

function notRaw(why: string): Error {
  return invalidOption(`This is no raw HTTP request: ${why}.`)
}
