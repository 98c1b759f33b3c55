import { type AccountKeys, type Adapter, type Log, standardErrorLog } from '@booking-webhooks/core'
import { interpret } from './interpret.js'
import type { CalendlyEnvelope } from './payload.js'
import { read } from './read.js'
import { signingKeys } from './signing-key.js'
import { type Tolerance, verifier } from './verify.js'

export interface CalendlyOptions {
  /**
   * The signing key of the webhook subscription, or several while one is replaced: by account, or by a function
   * (asked again after 10 s, null for an account that does not exist) where there are several accounts.
   */
  signingKey: AccountKeys
  /** How old or how early a signature may be, in seconds. Default 25 h, which covers all retries, and 5 min. Either may be `Infinity`. */
  tolerance?: Partial<Tolerance>
  /** Where warnings about these settings go. Default: JSON lines on standard error. */
  log?: Log
}

/** Calendly (API v2). Throws INVALID_OPTION for settings that cannot work. */
export function calendly(options: CalendlyOptions): Adapter<'calendly', CalendlyEnvelope> {
  const log = options?.log ?? standardErrorLog
  return {
    provider: 'calendly',
    keys: signingKeys(options?.signingKey, log),
    verify: verifier(options.tolerance),
    read,
    interpret,
  }
}
