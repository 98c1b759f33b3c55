import { createHmac, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 over the parts in a row. The key is its UTF-8 text, never decoded. */
export function hmacSha256(key: string, ...parts: (string | Uint8Array)[]): Uint8Array {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

/** The 32 bytes that 64 hex digits of either case stand for; null for anything else. */
export function decodeHexSha256(text: string): Uint8Array | null {
  return /^[0-9A-Fa-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : null
}

/** The 32 bytes that 44 characters of padded standard base64 stand for; null for anything else. */
export function decodeBase64Sha256(text: string): Uint8Array | null {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : null
}

/** The index of the first key under which one of the signatures is right; null if none is. Tries all of them, in constant time. */
export function fittingKey(
  keys: readonly string[],
  signatures: readonly Uint8Array[],
  sign: (key: string) => Uint8Array,
): number | null {
  let fitting: number | null = null
  keys.forEach((key, index) => {
    const right = sign(key)
    for (const signature of signatures)
      if (signature.length === right.length && timingSafeEqual(signature, right)) fitting ??= index
  })
  return fitting
}
