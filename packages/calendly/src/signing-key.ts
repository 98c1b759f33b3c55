import { type AccountKeys, type Adapter, accountKeys } from '@booking-webhooks/core'

/** Shorter keys can be guessed; Calendly sets no minimum. */
const shortest = 16

/** Checks the setting at creation: throws for what cannot be a key, and collects doubts about what is hardly one. */
export function signingKeys(signingKey: AccountKeys): { keys: Adapter['keys']; doubts: readonly string[] } {
  const doubts = new Set<string>()
  const keys = accountKeys(signingKey, {
    setting: 'calendly({ signingKey })',
    variable: 'CALENDLY_SIGNING_KEY',
    refuse(key) {
      const doubt = doubtOf(key)
      if (doubt) doubts.add(`calendly({ signingKey }) may be wrong: ${doubt}.`)
      return looksLikeHeader(key)
        ? 'it looks like the header Calendly-Webhook-Signature, which differs with every delivery. ' +
            'The key is what was sent as signing_key when the webhook subscription was made'
        : null
    },
  })
  return { keys, doubts: [...doubts] }
}

function looksLikeHeader(key: string): boolean {
  return /^(t=\d+|v1=)|,v1=/.test(key)
}

function doubtOf(key: string): string | null {
  if (key.startsWith('eyJ')) return 'it begins like an access token. The signing key is another secret'
  if (key.startsWith('http')) return 'it begins like a URL'
  if (key.length < shortest) return `it is shorter than ${shortest} characters`
  return null
}
