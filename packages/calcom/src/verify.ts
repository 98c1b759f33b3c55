import { type Adapter, decodeHexSha256, fittingKey, hmacSha256, signatureError } from '@booking-webhooks/core'

/** What stands in the signature header where the webhook has no secret. */
export const unsigned = 'no-secret-provided'

/**
 * Checks `X-Cal-Signature-256`: HMAC-SHA256 over the body's bytes in hex. Nothing in it expires; a body that is sent again is
 * known by its dedupe key. https://cal.com/docs/developing/guides/automation/webhooks
 */
export function verifier(allowUnsigned: boolean): Adapter['verify'] {
  if (allowUnsigned) return () => ({ keyIndex: 0, authenticated: 'none' })
  return ({ headers, body }, { keys }) => {
    const header = headers.get('x-cal-signature-256')
    if (!header)
      throw signatureError(
        'SIGNATURE_MISSING',
        'The header X-Cal-Signature-256 is missing. Is Cal.com the sender?',
      )
    if (header === unsigned)
      throw signatureError(
        'SIGNATURE_MISSING',
        'Cal.com has no secret for this webhook. Set the one of calcom({ secret }) on it.',
      )
    const signature = decodeHexSha256(header)
    if (!signature)
      throw signatureError(
        'SIGNATURE_MALFORMED',
        'The header X-Cal-Signature-256 is not 64 hex digits. Does something in between change headers?',
      )
    const keyIndex = fittingKey(keys, [signature], key => hmacSha256(key, body))
    if (keyIndex === null)
      throw signatureError(
        'SIGNATURE_MISMATCH',
        `None of the ${keys.length} secrets fits. Every webhook in Cal.com has its own: is this one's among them, and was the body left as sent?`,
      )
    return { keyIndex, authenticated: 'signature' }
  }
}
