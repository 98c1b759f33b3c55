import { hmacSha256 } from '@booking-webhooks/core'

/** The value of `x-acuity-signature` for these bytes. */
export function sign(key: string, body: Uint8Array): string {
  return Buffer.from(hmacSha256(key, body)).toString('base64')
}
