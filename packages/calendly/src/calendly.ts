import { type AccountKeys, type Adapter, invalidOption } from '@booking-webhooks/core'
import type { Api } from './api.js'
import { authorize, type GetToken } from './credentials.js'
import { fetcher } from './fetch.js'
import { interpreter } from './interpret.js'
import type { CalendlyEnvelope } from './payload.js'
import { read } from './read.js'
import { signingKeys } from './signing-key.js'
import { type Tolerance, verifier } from './verify.js'

export interface CalendlyOptions {
  /**
   * The signing key of the webhook subscription, or several while one is replaced: all are tried. By account, or by a function
   * (null for an account that does not exist; asked again after 10 s), where there are several accounts.
   */
  signingKey: AccountKeys
  /** How old or how early a signature may be, bounds included. Default 25 h, which covers all of Calendly's retries, and 5 min; `Infinity` is allowed. */
  tolerance?: Partial<Tolerance>
  /** A personal access token with the scope `scheduled_events:read`, by account where there are several: to ask for what webhooks leave out. */
  token?: AccountKeys
  /** For OAuth apps, instead of `token`. */
  getToken?: GetToken
  /** Default `https://api.calendly.com`. Tokens go nowhere else. */
  apiUrl?: string
  /** How long one API call may take, in milliseconds. Default 10 s. */
  timeoutMs?: number
  /**
   * How long the new half of a reschedule is waited for before Calendly is asked for it, or an alert raised; and the other cancels of
   * a meeting that was canceled as a whole, before Calendly is asked for those. Default 10 min.
   */
  missingHalfMs?: number
}

const withoutApi =
  'calendly() has no token and no getToken: a half of a reschedule that never comes is alerted instead of asked for, and a video link that comes later is not told. Is CALENDLY_API_TOKEN set?'

/** Calendly (API v2). Throws INVALID_OPTION for settings that cannot work. */
export function calendly(options: CalendlyOptions): Adapter<'calendly', CalendlyEnvelope> {
  const { signingKey, tolerance, token, getToken, missingHalfMs = 600_000 } = options ?? {}
  const { keys, doubts } = signingKeys(signingKey)
  const authorization = authorize({ token, getToken })
  const api: Api | null = authorization && {
    url: checkedUrl(options.apiUrl ?? 'https://api.calendly.com'),
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 10_000),
    authorize: authorization,
  }
  return {
    provider: 'calendly',
    warnings: api ? doubts : [...doubts, withoutApi],
    keys,
    verify: verifier(tolerance),
    read,
    ...(api && fetcher(api, { missingHalfMs })),
    interpret: interpreter({
      missingHalfMs: positive('missingHalfMs', missingHalfMs),
      hasApi: api !== null,
    }),
  }
}

function checkedUrl(text: string): string {
  if (!/^https?:\/\/[^?#]+$/.test(text) || !URL.canParse(text))
    throw invalidOption('calendly({ apiUrl }) must be an http(s) URL, and nothing after its path.')
  return text.replace(/\/+$/, '')
}

function positive(name: string, value: number): number {
  if (!(Number.isFinite(value) && value > 0))
    throw invalidOption(`calendly({ ${name} }) must be a number above 0.`)
  return value
}
