import {
  type BookingEvent,
  BookingWebhooksError,
  invalidOption,
  type Subscriber,
  type SubscriberOptions,
  type TellContext,
} from '@booking-webhooks/core'
import { Webhook } from 'standardwebhooks'
import { judge } from './judge.js'
import { checkedSecret } from './secret.js'
import { targetUrl } from './target-url.js'

export interface ForwardOptions extends SubscriberOptions {
  /** Where events are posted to: `http:` or `https:`, without a user name or password. */
  url: string | URL | undefined
  /** `whsec_` and base64, the form of https://www.standardwebhooks.com: what the target verifies with. */
  secret: string | undefined
  /** How long one post may take, in milliseconds. Default 15 s. */
  timeoutMs?: number
  /** The types to post; `*` (the default) for all, `provider.*` for all of a provider's own. */
  takes?: readonly string[]
}

/** Of its time: a post ends a little before the subscriber's time is up, as that message could not name the target. */
const partForPost = 0.98

/** What a target is sent: the event, which attempt this is, and on a replay the booking as it is today. */
export type ForwardedEvent = BookingEvent &
  Pick<TellContext, 'attempt' | 'replay'> & { now?: TellContext['now'] }

/**
 * A subscriber that posts each event as JSON, signed by the Standard Webhooks rules. The id is the event's on every
 * attempt; time and signature are fresh. Only a 2xx is success. Throws INVALID_OPTION at creation.
 */
export function forward({
  url,
  secret,
  timeoutMs = 15_000,
  takes = ['*'],
  ...options
}: ForwardOptions): Subscriber {
  const target = targetUrl(url)
  const webhook = new Webhook(checkedSecret(secret))
  // A timer that is set for longer fires at once.
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31))
    throw invalidOption(
      'forward({ timeoutMs }) must be a number of milliseconds, more than 0 and at most 2147483647.',
    )

  return {
    ...options,
    timeoutMs,
    takes,
    async tell(event, { attempt, replay, now, signal }) {
      const forwarded: ForwardedEvent = { ...event, attempt, replay, ...(replay ? { now } : {}) }
      const body = JSON.stringify(forwarded)
      const sentAt = new Date()
      const timeout = AbortSignal.timeout(Math.ceil(timeoutMs * partForPost))
      const request: RequestInit = {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'booking-webhooks',
          'webhook-id': event.id,
          'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
          'webhook-signature': webhook.sign(event.id, sentAt, body),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, timeout]),
      }
      const response = await fetch(target, request).catch(error => {
        signal.throwIfAborted()
        if (timeout.aborted) throw timedOut(target, timeoutMs)
        throw unreachable(target, error)
      })
      await hangUp(response)
      judge(response, target)
    },
  }
}

/** The answer is in the status: its body is neither kept nor waited for, and one that breaks off changes nothing. */
async function hangUp(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {})
}

function timedOut(target: URL, timeoutMs: number): BookingWebhooksError {
  return new BookingWebhooksError('TIMED_OUT', `${target.host} did not answer within ${timeoutMs} ms.`)
}

function unreachable(target: URL, error: unknown): BookingWebhooksError {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection'
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET')
    return new BookingWebhooksError(
      'FORWARD_UNREACHABLE',
      `${target.host} broke the connection off before it answered (${code}).`,
    )
  return new BookingWebhooksError(
    'FORWARD_UNREACHABLE',
    `${target.host} could not be reached (${code}). Is it up, and is forward({ url }) right?`,
  )
}
