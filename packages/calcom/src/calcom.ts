import { type AccountKeys, type Adapter, invalidOption } from '@booking-webhooks/core'
import type { Api } from './api.js'
import { ask, questionOf } from './ask.js'
import { authorize, type GetToken, type Platform } from './credentials.js'
import { heldMs } from './failure.js'
import { interpret } from './interpret.js'
import type { CalcomEnvelope } from './payload.js'
import { read } from './read.js'
import { verifier } from './verify.js'
import { webhookSecrets } from './webhook-secret.js'

export interface CalcomOptions {
  /**
   * The secret of the webhook. Several where several webhooks (of a user, a team, an event type) send to one URL, or while one is
   * replaced: all are tried. By account, or by a function, where there are several accounts.
   */
  secret?: AccountKeys
  /** Takes requests without a signature, from whomever: only for a trial, and only without `secret`. */
  allowUnsigned?: boolean
  /** An API key (`cal_…`), by account where there are several: to ask for what the webhooks leave out. */
  apiKey?: AccountKeys
  /** For OAuth apps and managed users, instead of `apiKey`. */
  getToken?: GetToken
  /** For platforms, instead of `apiKey`. */
  platform?: Platform
  /** Default `https://api.cal.com/v2`; a self-hosted Cal.com has its own. */
  apiUrl?: string
  /** How long one API call may take, in milliseconds. Default 10 s. */
  timeoutMs?: number
}

const withoutApi =
  'calcom() has no apiKey, getToken or platform: when a whole series is canceled, rejected or accepted, or a reschedule waits for the host and its link is missing, only what the webhook itself names is told. Is CALCOM_API_KEY set?'
const withoutSignature =
  'calcom({ allowUnsigned: true }) takes requests from anyone. Set a secret on the webhook in Cal.com and here.'

/** Cal.com: webhooks of both versions; API v2 for what they leave out. Throws INVALID_OPTION for settings that cannot work. */
export function calcom(options: CalcomOptions): Adapter<'calcom', CalcomEnvelope> {
  const { secret, allowUnsigned = false, apiKey, getToken, platform } = options ?? {}
  const keys = webhookSecrets(secret, allowUnsigned === true)
  const authorization = authorize({ apiKey, getToken, platform })
  const url = checkedUrl(options.apiUrl ?? 'https://api.cal.com/v2')
  const timeoutMs = positive('timeoutMs', options.timeoutMs ?? 10_000)
  const api: Api | null = authorization && { url, timeoutMs, authorize: authorization }
  return {
    provider: 'calcom',
    headers: ['x-cal-webhook-version'],
    warnings: [...(api ? [] : [withoutApi]), ...(allowUnsigned ? [withoutSignature] : [])],
    keys,
    verify: verifier(allowUnsigned === true),
    read,
    needsFetch: reading => questionOf(reading) !== null,
    waitsAtMostMs: ({ isLook }) => (isLook ? Number.POSITIVE_INFINITY : heldMs),
    fetch: (reading, context) => ask(api, reading, context),
    interpret: (reading, snapshot, booking, context) =>
      interpret(reading, snapshot, booking, context, { hasApi: api !== null }),
  }
}

function checkedUrl(text: string): string {
  if (!/^https?:\/\/[^?#]+$/.test(text) || !URL.canParse(text))
    throw invalidOption('calcom({ apiUrl }) must be an http(s) URL with the version, and nothing after it.')
  return text.replace(/\/+$/, '')
}

function positive(name: string, value: number): number {
  if (!(Number.isFinite(value) && value > 0))
    throw invalidOption(`calcom({ ${name} }) must be a number above 0.`)
  return value
}
