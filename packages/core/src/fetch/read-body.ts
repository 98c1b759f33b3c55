import { bodyAlreadyParsed, bodyCutOff, bodyTooLarge } from '../http/body-errors.js'
import { inTime } from '../http/in-time.js'
import { inflate } from '../http/inflate.js'
import type { Limits } from '../http/limits.js'

/**
 * A `Request`'s body, inflated. Rejects with BODY_ALREADY_PARSED, BODY_CUT_OFF, BODY_TOO_LARGE or ENCODING_UNSUPPORTED;
 * never waits longer than `bodyTimeoutMs`.
 */
export async function readBody(
  request: Request,
  { maxBodyBytes, bodyTimeoutMs }: Limits,
): Promise<Uint8Array> {
  if (request.bodyUsed) throw bodyAlreadyParsed(null)
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes)
  if (!request.body) return new Uint8Array()
  const bytes = await inTime(readStream(request.body, maxBodyBytes, bodyTimeoutMs), bodyTimeoutMs)
  return inflate(bytes, request.headers.get('content-encoding'), maxBodyBytes)
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBodyBytes: number,
  timeoutMs: number,
): Promise<Uint8Array> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw bodyCutOff('The client went away in the middle of its body.')
    })
    if (done) return Buffer.concat(chunks)
    size += value.byteLength
    if (size > maxBodyBytes) {
      discardRest(reader, timeoutMs)
      throw bodyTooLarge(maxBodyBytes)
    }
    chunks.push(value)
  }
}

/** Not `cancel`, which takes the socket, and the answer, with it: the rest is read for a while and thrown away. */
async function discardRest(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  let isDone = false
  while (!isDone && performance.now() < deadline) {
    isDone = await reader.read().then(
      ({ done }) => done,
      () => true,
    )
  }
}
