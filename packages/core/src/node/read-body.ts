import type { IncomingMessage } from 'node:http'
import rawBody from 'raw-body'
import { bodyAlreadyParsed, bodyCutOff, bodyTooLarge } from '../http/body-errors.js'
import { inTime } from '../http/in-time.js'
import { inflate } from '../http/inflate.js'
import type { Limits } from '../http/limits.js'

/** What a platform or a parser may have left of the body. Bytes that were left are taken as inflated already. */
export interface Left {
  rawBody?: unknown
  body?: unknown
}

/**
 * The body's bytes, inflated: what is left in `rawBody`, else the unread stream, else a `body` of bytes.
 * Rejects with BODY_ALREADY_PARSED, BODY_CUT_OFF, BODY_TOO_LARGE or ENCODING_UNSUPPORTED; never waits longer than `bodyTimeoutMs`.
 */
export async function readBody(
  request: IncomingMessage,
  left: Left,
  parser: () => string | null,
  { maxBodyBytes, bodyTimeoutMs }: Limits,
): Promise<Uint8Array> {
  const kept = typeof left.rawBody === 'string' ? Buffer.from(left.rawBody) : left.rawBody
  if (kept instanceof Uint8Array) return within(kept, maxBodyBytes)
  if (isUnread(request)) {
    if (Number(request.headers['content-length']) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes)
    const bytes = await inTime(readStream(request, maxBodyBytes), bodyTimeoutMs)
    return inflate(bytes, request.headers['content-encoding'], maxBodyBytes)
  }
  // Only now: on some platforms `body` is a getter that parses.
  if (left.body instanceof Uint8Array) return within(left.body, maxBodyBytes)
  if (isCutOff(request)) throw bodyCutOff('The client went away before its body was read.')
  throw bodyAlreadyParsed(parser())
}

function within(bytes: Uint8Array, maxBodyBytes: number): Uint8Array {
  if (bytes.byteLength > maxBodyBytes) throw bodyTooLarge(maxBodyBytes)
  return bytes
}

/** A decoded stream would hand out text; what was read before us is gone. */
function isUnread(request: IncomingMessage): boolean {
  return request.readable && !request.readableDidRead && request.readableEncoding === null
}

function isCutOff(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete
}

async function readStream(request: IncomingMessage, maxBodyBytes: number): Promise<Uint8Array> {
  try {
    return await rawBody(request, { limit: maxBodyBytes })
  } catch (error) {
    if ((error as rawBody.RawBodyError).type === 'entity.too.large') throw bodyTooLarge(maxBodyBytes)
    throw bodyCutOff('The client went away in the middle of its body.')
  }
}
