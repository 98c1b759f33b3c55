import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Adapter,
  BookingWebhooksError,
  FetchError,
  invalidOption,
  objectOrNull,
  parseJsonBody,
} from '@booking-webhooks/core'
import { type Call, call, type HttpAnswer } from './api.js'
import { type Client, clientOf } from './client.js'
import { statusFailure } from './failure.js'
import type { AcuityRaw } from './raw.js'

export interface AccountOptions {
  /** Whose API. Default `default`. */
  account?: string
  /** Ends what is under way: it rejects with the signal's reason. */
  signal?: AbortSignal
}

export type Asked = Required<Pick<Call, 'method' | 'path'>> & Pick<Call, 'json'>

export interface AccountCalls {
  account: string
  client: Client
  signal: AbortSignal
  /** Throws FETCH_FAILED for what is not 2xx, in Acuity's words, unless its status is `expected`. */
  ask(asked: Asked, expected?: number): Promise<HttpAnswer>
}

/** Calls for somebody who waits for them, unlike the adapter's: a 429 is waited out, and what failed is said at once. */
export function accountCalls(
  adapter: Adapter<'acuity', AcuityRaw>,
  caller: string,
  { account = 'default', signal = new AbortController().signal }: AccountOptions,
): AccountCalls {
  const client = clientOf(adapter, caller)
  const secrets = new Set<string>()
  const authorization = async (isRefused: boolean) => {
    const header = await client.authorization(account, isRefused)
    for (const secret of [header?.split(' ')[1], ...((await client.keys(account)) ?? [])])
      if (secret) secrets.add(secret)
    return header
  }
  const once = async (asked: Asked): Promise<HttpAnswer> => {
    const answer = await call(client.api, { ...asked, authorization, signal, now: new Date() })
    if (!answer) throw invalidOption(`${caller} knows no credentials for this account.`)
    return answer
  }
  return {
    account,
    client,
    signal,
    async ask(asked, expected) {
      const answer = await patiently(() => once(asked), signal)
      const { status } = answer
      if ((status >= 200 && status < 300) || status === expected) return answer
      if (status === 401) throw statusFailure(status, { attempt: 1 })
      const words = wordsOf(answer, secrets)
      const { method, path } = asked
      const about = `Acuity answered ${status} to ${method} ${path.replace(/\?.*/, '')}`
      throw new BookingWebhooksError('FETCH_FAILED', words === null ? `${about}.` : `${about}: ${words}`)
    },
  }
}

/** As often as Acuity may ask for fewer requests before whoever waits is told. */
const patience = 10

async function patiently<Answer>(work: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let refusals = 1; ; refusals += 1) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const waitMs = error instanceof FetchError ? error.failure.pauseAccountMs : undefined
      if (waitMs === undefined || refusals === patience) throw error
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

/** What Acuity says of its refusal, in one line; null for a page, for nothing, and where it would repeat a key. */
function wordsOf({ body }: HttpAnswer, secrets: ReadonlySet<string>): string | null {
  const json = parseJsonBody(body)
  const message = 'problem' in json ? null : objectOrNull<{ message?: unknown }>(json.value)?.message
  if (typeof message !== 'string') return null
  const words = message
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300)
  return words === '' || [...secrets].some(secret => message.includes(secret)) ? null : words
}
