import {
  type Adapter,
  decodeHexSha256,
  fittingKey,
  hmacSha256,
  invalidOption,
  signatureError,
} from '@booking-webhooks/core'

/** In seconds between the `t` of the header and the arrival here. Both bounds are included: what is over them by a millisecond is refused. */
export interface Tolerance {
  /** A signature of exactly this age is accepted, an older one is SIGNATURE_TOO_OLD. */
  pastSeconds: number
  /** A signature that is ahead by exactly this is accepted, one further ahead is SIGNATURE_IN_FUTURE. */
  futureSeconds: number
}

/** Calendly retries for 24 h and does not say whether a retry is signed anew; an hour more for its last one. */
const defaults: Tolerance = { pastSeconds: 90_000, futureSeconds: 300 }

/** Longer headers are nobody's; five signatures leave room for two keys at once. */
const longest = 1_024
const mostSignatures = 5

/**
 * Checks `Calendly-Webhook-Signature: t=<unix seconds>,v1=<hex>` over `t + "." + body`.
 * The time is judged last, so that the error tells a wrong key from a wrong clock.
 * https://developer.calendly.com/docs/webhooks/overview
 */
export function verifier(tolerance: Partial<Tolerance> = {}): Adapter['verify'] {
  const { pastSeconds = defaults.pastSeconds, futureSeconds = defaults.futureSeconds } = tolerance
  checkTolerance({ pastSeconds, futureSeconds })
  return (request, { keys, now }) => {
    const header = request.headers.get('calendly-webhook-signature')
    if (header === null)
      throw signatureError(
        'SIGNATURE_MISSING',
        'The header Calendly-Webhook-Signature is missing. Calendly sends none for a subscription made without signing_key: make it anew with one.',
      )
    const { signedAt, signatures } = parsed(header)
    const keyIndex = fittingKey(keys, signatures, key => hmacSha256(key, `${signedAt}.`, request.body))
    if (keyIndex === null)
      throw signatureError(
        'SIGNATURE_MISMATCH',
        `None of the ${keys.length} signing keys fits. Is this the key of the subscription that sends here, and was the body left as sent?`,
      )
    const ageSeconds = now.getTime() / 1000 - Number(signedAt)
    if (ageSeconds > pastSeconds)
      throw signatureError(
        'SIGNATURE_TOO_OLD',
        `Signed ${Math.ceil(ageSeconds)} s ago, more than tolerance.pastSeconds (${pastSeconds}). Is this machine's clock right?`,
      )
    if (-ageSeconds > futureSeconds)
      throw signatureError(
        'SIGNATURE_IN_FUTURE',
        `Signed ${Math.ceil(-ageSeconds)} s ahead of this machine's clock, more than tolerance.futureSeconds (${futureSeconds}). Is the clock right?`,
      )
    return { keyIndex, authenticated: 'signature' }
  }
}

function parsed(header: string): { signedAt: string; signatures: Uint8Array[] } {
  if (header.length > longest) throw malformed(`it is longer than ${longest} characters`)
  const times: string[] = []
  const signatures: Uint8Array[] = []
  for (const element of header.split(',')) {
    const [name, value] = cutAtEquals(element.trim())
    if (name === 't') times.push(value)
    if (name === 'v1') {
      const signature = decodeHexSha256(value)
      if (!signature) throw malformed('a v1 is not 64 hex digits')
      signatures.push(signature)
    }
  }
  const [signedAt] = times
  if (signedAt === undefined || times.length > 1) throw malformed(`it holds ${times.length} times t`)
  if (!/^\d{1,12}$/.test(signedAt)) throw malformed('its t is not a number of seconds')
  if (signatures.length === 0 || signatures.length > mostSignatures)
    throw malformed(`it holds ${signatures.length} signatures v1`)
  return { signedAt, signatures }
}

function cutAtEquals(element: string): [name: string, value: string] {
  const at = element.indexOf('=')
  return at < 0 ? [element, ''] : [element.slice(0, at).trim(), element.slice(at + 1).trim()]
}

function malformed(what: string): Error {
  return signatureError(
    'SIGNATURE_MALFORMED',
    `The header Calendly-Webhook-Signature is malformed: ${what}. Does something in between change headers?`,
  )
}

function checkTolerance(tolerance: Tolerance): void {
  for (const [name, seconds] of Object.entries(tolerance))
    if (typeof seconds !== 'number' || !(seconds >= 0))
      throw invalidOption(
        `calendly({ tolerance: { ${name} } }) must be a number of seconds, 0 or more, or Infinity.`,
      )
}
