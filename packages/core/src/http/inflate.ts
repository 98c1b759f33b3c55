import { promisify } from 'node:util'
import { gunzip, inflate as zlibInflate } from 'node:zlib'
import { bodyTooLarge, encodingUnsupported } from './body-errors.js'

const inflaters = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(zlibInflate)],
])

/**
 * The body under its content encoding: what providers sign is the text they wrote, so it is what is verified and kept.
 * Rejects with BODY_TOO_LARGE past `maxBodyBytes` (inflating stops there), ENCODING_UNSUPPORTED for what is not gzip or deflate.
 */
export async function inflate(
  bytes: Uint8Array,
  contentEncoding: string | null | undefined,
  maxBodyBytes: number,
): Promise<Uint8Array> {
  const encoding = contentEncoding?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity' || bytes.byteLength === 0) return bytes
  const inflater = inflaters.get(encoding)
  if (!inflater)
    throw encodingUnsupported('The content encoding is not supported. Send gzip, deflate or none.')
  try {
    return await inflater(bytes, { maxOutputLength: maxBodyBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(maxBodyBytes)
    throw encodingUnsupported(`The body is not the ${encoding} that its content encoding says.`)
  }
}
