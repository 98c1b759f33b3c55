/** 1 to 255 bytes without control characters. */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && /^[^\p{Cc}\p{Surrogate}]+$/u.test(text) && Buffer.byteLength(text) <= 255
}
