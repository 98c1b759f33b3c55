import { decodeHexSha256, fittingKey, hmacSha256, signatureError } from '@booking-webhooks/core'

/**
 * Acme signs the raw body: `Acme-Signature: sha256=<hex of HMAC-SHA256>`.
 *
 * @type {import('@booking-webhooks/core').Adapter['verify']}
 */
export function verify({ headers, body }, { keys }) {
  const header = headers.get('acme-signature')
  if (header === null) throw signatureError('SIGNATURE_MISSING', 'The header Acme-Signature is missing.')
  const signature = header.startsWith('sha256=') ? decodeHexSha256(header.slice('sha256='.length)) : null
  if (!signature) throw signatureError('SIGNATURE_MALFORMED', 'The header Acme-Signature is malformed.')
  const keyIndex = fittingKey(keys, [signature], key => hmacSha256(key, body))
  if (keyIndex === null)
    throw signatureError('SIGNATURE_MISMATCH', 'None of the keys of acme({ secret }) fits.')
  return { keyIndex, authenticated: 'signature' }
}
