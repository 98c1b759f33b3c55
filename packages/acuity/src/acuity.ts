import {
  type AccountKeys,
  type Adapter,
  accountKeys,
  invalidOption,
  type Micros,
  parseInstant,
} from '@booking-webhooks/core'
import { type Api, ask } from './api.js'
import { readAppointment } from './appointment.js'
import { withClient } from './client.js'
import { refuseContradiction } from './contradiction.js'
import { authorize, type GetToken } from './credentials.js'
import { passingFailure } from './failure.js'
import { interpret } from './interpret.js'
import { limiter } from './limiter.js'
import { readNotification } from './notification.js'
import type { AcuityRaw } from './raw.js'
import { read } from './read.js'
import { verify } from './verify.js'

export interface AcuityOptions {
  /**
   * The API keys that sign: the main admin's for static hooks, the creator's for dynamic ones. All are tried. By account
   * where there are several. With `userId`, the first one of an account is also the API's password.
   */
  apiKey: AccountKeys
  /** The number of the user whose key is the first of `apiKey`, as text; by account where there are several. */
  userId?: AccountKeys
  /** For OAuth apps, instead of `userId`. */
  getToken?: GetToken
  /** Default `https://acuityscheduling.com/api/v1`. */
  apiUrl?: string
  /** Appointments made before this are not told as new. Default: the account's first start on this database. */
  since?: Date | string
  /** How many API calls this process makes in a second. Acuity allows 10 to an IP address. Default 5. */
  requestsPerSecond?: number
  /** How long one API call may take, in milliseconds. Default 10 s. */
  timeoutMs?: number
}

/**
 * Acuity Scheduling: every request only says "look again"; what happened is found by asking its API and comparing.
 * Throws INVALID_OPTION for settings that cannot work.
 */
export function acuity(options: AcuityOptions): Adapter<'acuity', AcuityRaw> {
  const keys = accountKeys(options?.apiKey, { setting: 'acuity({ apiKey })', variable: 'ACUITY_API_KEY' })
  const authorization = authorize({ keys, userId: options.userId, getToken: options.getToken })
  const api: Api = {
    url: checkedUrl(options.apiUrl ?? 'https://acuityscheduling.com/api/v1'),
    limiter: limiter(positive('requestsPerSecond', options.requestsPerSecond ?? 5)),
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 10_000),
  }
  const sinceUs = options.since === undefined ? null : checkedInstant(options.since)

  const adapter: Adapter<'acuity', AcuityRaw> = {
    provider: 'acuity',
    warnings: authorization === null ? [withoutApi] : [],
    keys,
    verify,
    read,
    needsFetch: ({ body }) => authorization !== null && pokedAppointment(body) !== null,
    async fetch({ account, body }, { signal, now, attempt, failed, serves }) {
      const id = pokedAppointment(body)
      if (authorization === null || id === null) return null
      const tries = { attempt, failed }
      const answer = await ask(api, {
        path: `/appointments/${id}`,
        authorization: isRefused => authorization(account, isRefused),
        signal,
        now,
        tries,
      })
      if (answer === null) return null
      const found = readAppointment(answer.json, id)
      if (!found)
        throw passingFailure('Acuity answered 200, but not with this appointment and a certain start.')
      refuseContradiction(found, serves, tries)
      return answer.json
    },
    interpret: (reading, snapshot, booking, { connectedUs }) =>
      interpret(reading, snapshot, booking, { connectedUs: sinceUs ?? connectedUs }),
  }
  return withClient(adapter, { api, authorization, keys })
}

const withoutApi =
  "Without acuity({ userId }) or getToken the API cannot be asked, and Acuity's requests hold nothing but an id: they are passed on as provider.appointment.* events, without bookings, slots or deduplication. Set ACUITY_USER_ID."

function pokedAppointment(body: Uint8Array): string | null {
  const notification = readNotification(body)
  return 'about' in notification && notification.about === 'appointment' ? notification.id : null
}

function checkedUrl(text: string): string {
  if (!/^https?:\/\/[^?#]+$/.test(text) || !URL.canParse(text))
    throw invalidOption('acuity({ apiUrl }) must be an http(s) URL with the version, and nothing after it.')
  return text.replace(/\/+$/, '')
}

function positive(name: string, value: number): number {
  if (!(Number.isFinite(value) && value > 0))
    throw invalidOption(`acuity({ ${name} }) must be a number above 0.`)
  return value
}

function checkedInstant(since: Date | string): Micros {
  const micros = typeof since === 'string' ? parseInstant(since) : since.getTime() * 1_000
  if (micros === null || Number.isNaN(micros))
    throw invalidOption('acuity({ since }) must be a Date, or text such as 2027-03-01T00:00:00Z.')
  return micros
}
