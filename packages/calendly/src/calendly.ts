import { type AccountKeys, type Adapter, invalidOption } from '@booking-webhooks/core'
import { type FetchOptions, fetching } from './fetch.js'
import { interpreter } from './interpret.js'
import type { CalendlyEnvelope } from './payload.js'
import { read } from './read.js'
import { signingKeys } from './signing-key.js'
import { type Tolerance, verifier } from './verify.js'

export interface CalendlyOptions extends FetchOptions {
  /**
   * The signing key of the webhook subscription, or several while one is replaced: for the one account, by account, or from a
   * function of the account (null for one that does not exist; asked again after 10 s).
   */
  signingKey: AccountKeys
  /** How old or how early a signature may be. Default 25 h, which covers all of Calendly's retries, and 5 min; `Infinity` is allowed. */
  tolerance?: Partial<Tolerance>
  /** How long the new half of a reschedule is waited for before Calendly is asked for it, or an alert raised. Default 10 min. */
  missingHalfMs?: number
}

/** Calendly (API v2). Throws INVALID_OPTION for settings that cannot work. */
export function calendly(options: CalendlyOptions): Adapter<'calendly', CalendlyEnvelope> {
  const { signingKey, tolerance, missingHalfMs = 600_000 } = options ?? {}
  const { keys, doubts } = signingKeys(signingKey)
  if (!(missingHalfMs >= 0))
    throw invalidOption('calendly({ missingHalfMs }) must be milliseconds, 0 or more.')
  const asking = fetching(options)
  return {
    provider: 'calendly',
    warnings: asking.fetch ? doubts : [...doubts, withoutToken],
    keys,
    verify: verifier(tolerance),
    read,
    ...asking,
    interpret: interpreter(missingHalfMs),
  }
}

const withoutToken =
  'Without calendly({ token }) a lost half of a reschedule is only alerted, not asked for. Set CALENDLY_API_TOKEN.'
