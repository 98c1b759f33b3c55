import { type AccountKeys, type Adapter, accountKeys, type Log } from '@booking-webhooks/core'

/** Shorter keys can be guessed; Calendly sets no minimum. */
const shortest = 16

/** Checks the setting at creation: throws for what cannot be a key, warns of what is hardly one. */
export function signingKeys(signingKey: AccountKeys, log: Log): Adapter['keys'] {
  return accountKeys(signingKey, {
    setting: 'calendly({ signingKey })',
    variable: 'CALENDLY_SIGNING_KEY',
    refuse(key) {
      const doubt = doubtOf(key)
      if (doubt) log.warn(`calendly({ signingKey }) may be wrong: ${doubt}.`)
      return looksLikeHeader(key)
        ? 'it looks like the header Calendly-Webhook-Signature, which differs with every delivery. ' +
            'The key is what was sent as signing_key when the webhook subscription was made'
        : null
    },
  })
}

function looksLikeHeader(key: string): boolean {
  return /^\s*(t=\d+|v1=)|,v1=/.test(key)
}

function doubtOf(key: string): string | null {
  if (key.startsWith('eyJ')) return 'it begins like an access token. The signing key is another secret'
  if (key.startsWith('http')) return 'it begins like a URL'
  if (key.length < shortest) return `it is shorter than ${shortest} characters`
  return null
}
