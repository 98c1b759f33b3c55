import {
  decodeBase64Sha256,
  fittingKey,
  hmacSha256,
  signatureError,
  type Verified,
  type WebhookRequest,
} from '@booking-webhooks/core'

/**
 * Checks `x-acuity-signature`: the padded base64 of HMAC-SHA256 over the raw body, keyed with an API key as text.
 * It covers no time: a captured request fits for ever. https://developers.acuityscheduling.com/docs/webhooks
 */
export function verify(
  { headers, body }: Pick<WebhookRequest, 'headers' | 'body'>,
  { keys }: { keys: readonly string[] },
): Verified {
  const header = headers.get('x-acuity-signature')
  if (!header) throw signatureError('SIGNATURE_MISSING', 'The header x-acuity-signature is missing.')
  const signature = decodeBase64Sha256(header)
  if (!signature)
    throw signatureError(
      'SIGNATURE_MALFORMED',
      'The header x-acuity-signature is not one SHA-256 in padded base64.',
    )
  const keyIndex = fittingKey(keys, [signature], key => hmacSha256(key, body))
  if (keyIndex === null)
    throw signatureError(
      'SIGNATURE_MISMATCH',
      "No key of this account fits. A static hook is signed with the main admin's API key, a dynamic one with its creator's: give both in acuity({ apiKey }).",
    )
  return { keyIndex, authenticated: 'signature' }
}
