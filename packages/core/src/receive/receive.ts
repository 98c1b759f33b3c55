import type { Adapter, Reply, WebhookRequest } from '../adapter/adapter.js'
import { describeError } from '../event/describe-error.js'
import { BookingWebhooksError, type ErrorCode, isBookingWebhooksError } from '../event/errors.js'
import type { NewEvent, Recorded } from '../inbox/stored-event.js'
import type { Observer } from '../observe/observer.js'
import { reply, replyTo } from './answer.js'
import { eventsOf, type ReadingRequests } from './events-of.js'

export interface Receiving extends ReadingRequests {
  record(events: NewEvent[]): Promise<Recorded[]>
  /** Told of each verdict on a signature, for alerts. */
  signature(provider: string, account: string, code: string | null): void
  now: () => Date
  observer: Required<Observer>
}

/**
 * Verifies, reads and records one request. Answers 200 once its events are committed, 401 unless its provider signed it,
 * 503 where the store did not take it or its keys cannot be had. Never rejects.
 */
export function receive(request: WebhookRequest, receiving: Receiving): Promise<Reply> {
  const { adapter, observer } = receiving
  const stage = { stage: 'receive', provider: adapter.provider, account: request.account } as const
  return observer.during(stage, traceparent => receiveObserved(request, traceparent, receiving))
}

async function receiveObserved(
  request: WebhookRequest,
  traceparent: string | null,
  receiving: Receiving,
): Promise<Reply> {
  const { adapter, log, observer } = receiving
  const about = { provider: adapter.provider, account: request.account }
  const answered = (answer: Reply, code: ErrorCode | null): Reply => {
    observer.answered({ ...about, status: answer.status, code })
    return answer
  }
  try {
    await verify(request, receiving)
    receiving.signature(about.provider, about.account, null)
    const read = eventsOf(request, receiving)
    if ('reply' in read) return answered(read.reply, null)
    const recorded = await receiving.record(read.events.map(event => tracedIn(event, traceparent)))
    observer.committed({ ...about, afterMs: receiving.now().getTime() - request.receivedAt.getTime() })
    for (const one of recorded)
      log.debug(one.isNew ? 'stored' : 'repeated', { ...about, event: one.id, deliveries: one.deliveries })
    return answered(reply(200), null)
  } catch (error) {
    const code = isBookingWebhooksError(error) ? error.code : null
    const answer = replyTo(code)
    if (answer.status === 401) {
      receiving.signature(about.provider, about.account, code)
      log.warn('rejected', { ...about, code, reason: (error as Error).message })
    } else {
      log.error('not stored', { ...about, code, status: answer.status, reason: describeError(error) })
    }
    return answered(answer, code)
  }
}

/** Whoever settles or tells the event later links to the delivery that brought it. */
function tracedIn(event: NewEvent, traceparent: string | null): NewEvent {
  return traceparent === null ? event : { ...event, headers: { ...event.headers, traceparent } }
}

async function verify(request: WebhookRequest, { adapter }: Receiving): Promise<void> {
  const keys = await keysOf(adapter, request.account)
  if (!keys?.length)
    throw new BookingWebhooksError(
      'UNKNOWN_ACCOUNT',
      `No key is known for this account of ${adapter.provider}.`,
    )
  await adapter.verify(request, { keys, now: request.receivedAt })
}

/**
 * Keys may come from a function of the user's: what it threw is not passed on, as it may hold them. Where what it gave is no key, the fault is
 * ours and may be mended: the provider is asked to come again. An empty key is an adapter's own business: it may stand for "unsigned".
 */
async function keysOf(adapter: Adapter, account: string): Promise<readonly string[] | null> {
  const keys: unknown = await askedKeys(adapter, account)
  if (keys === null || keys === undefined) return null
  if (Array.isArray(keys) && keys.every(key => typeof key === 'string')) return keys
  throw keysUnavailable(
    adapter,
    'gave what is no list of strings. Does it give text, and null for an account without keys?',
  )
}

async function askedKeys(adapter: Adapter, account: string): Promise<unknown> {
  try {
    return await adapter.keys(account)
  } catch (error) {
    if (isBookingWebhooksError(error, 'INVALID_OPTION'))
      throw keysUnavailable(adapter, `gave what cannot be used. ${error.message}`)
    if (isBookingWebhooksError(error)) throw error
    throw keysUnavailable(adapter, `threw (${describeError(error)}). Does what it asks answer?`)
  }
}

function keysUnavailable({ provider }: Adapter, what: string): BookingWebhooksError {
  return new BookingWebhooksError(
    'KEYS_UNAVAILABLE',
    `The function that gives the keys of ${provider} ${what}`,
  )
}
