import { createHash, randomUUID } from 'node:crypto'
import type { Adapter, Reading, Reply, WebhookRequest } from '../adapter/adapter.js'
import { describeError } from '../event/describe-error.js'
import { BookingWebhooksError, isBookingWebhooksError } from '../event/errors.js'
import { identify, laneKey } from '../event/identity.js'
import type { Log } from '../event/log.js'
import type { NewEvent, Recorded } from '../inbox/store.js'
import { reply, replyTo } from './answer.js'

export interface Receiving {
  adapter: Adapter
  /** Hashes addresses with the installation's secret. */
  hash(text: string): string
  record(events: NewEvent[]): Promise<Recorded[]>
  log: Log
  /** Told of each verdict on a signature, for alerts. */
  signature(provider: string, account: string, code: string | null): void
}

/**
 * Verifies, reads and records one request. Answers 200 once its events are committed, 401 unless its provider signed it,
 * 503 where the store did not take it. Never rejects.
 */
export async function receive(request: WebhookRequest, receiving: Receiving): Promise<Reply> {
  const { adapter, log } = receiving
  const about = { provider: adapter.provider, account: request.account }
  try {
    await verify(request, receiving)
    receiving.signature(about.provider, about.account, null)
    const read = readings(request, receiving)
    if ('reply' in read) return read.reply
    const events = read.readings.map((reading, index) => newEvent(reading, index, request, adapter))
    const recorded = await receiving.record(events)
    for (const one of recorded)
      log.debug(one.isNew ? 'stored' : 'repeated', { ...about, event: one.id, deliveries: one.deliveries })
    return reply(200)
  } catch (error) {
    const code = isBookingWebhooksError(error) ? error.code : null
    const answer = replyTo(code)
    if (answer.status === 401) {
      receiving.signature(about.provider, about.account, code)
      log.warn('rejected', { ...about, code, reason: (error as Error).message })
    } else {
      log.error('not stored', { ...about, code, status: answer.status, reason: describeError(error) })
    }
    return answer
  }
}

async function verify(request: WebhookRequest, { adapter }: Receiving): Promise<void> {
  const keys = await adapter.keys(request.account)
  if (!keys?.length)
    throw new BookingWebhooksError(
      'UNKNOWN_ACCOUNT',
      `No key is known for this account of ${adapter.provider}.`,
    )
  await adapter.verify(request, { keys, now: request.receivedAt })
}

/** An adapter must not throw; one that does costs its event the meaning, not the row. */
function readings(
  request: WebhookRequest,
  { adapter, hash, log }: Receiving,
): { readings: Reading[] } | { reply: Reply } {
  try {
    const read = adapter.read(request, { hash })
    if ('reply' in read || read.readings.length > 0) return read
    return { readings: [unreadable(request, 'The adapter found nothing in it.')] }
  } catch (error) {
    log.error('the adapter failed to read a request', {
      provider: adapter.provider,
      reason: describeError(error),
    })
    return { readings: [unreadable(request, 'The adapter failed to read it.')] }
  }
}

function unreadable(request: WebhookRequest, why: string): Reading {
  const key = `unreadable:${createHash('sha256').update(request.body).digest('hex')}`
  return {
    dedupeKey: key,
    lane: key,
    providerType: '?',
    type: null,
    bookingId: null,
    meetingId: null,
    occurredUs: null,
    unreadable: why,
  }
}

/** Each reading keeps the body it came from: its siblings may be repeats of events that another body brought. */
function newEvent(reading: Reading, index: number, request: WebhookRequest, adapter: Adapter): NewEvent {
  const { provider } = adapter
  const { account } = request
  const dedupeKey = reading.dedupeKey ?? `poke:${randomUUID()}`
  return {
    ...identify(provider, account, dedupeKey),
    dedupeKey,
    lane: laneKey('settle', provider, account, reading.lane),
    provider,
    account,
    providerType: reading.providerType,
    type: reading.type,
    bookingId: reading.bookingId,
    meetingId: reading.meetingId,
    occurredUs: reading.occurredUs,
    receivedUs: request.receivedAt.getTime() * 1000,
    headers: keptHeaders(request.headers, adapter.headers ?? []),
    body: request.body,
    parentId: null,
    index,
    unreadable: reading.unreadable,
    origin: reading.dedupeKey === null ? 'poke' : 'delivery',
    afterMs: 0,
  }
}

function keptHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of ['content-type', 'user-agent', ...names]) {
    const value = headers.get(name)
    if (value !== null) kept[name] = value.slice(0, 512)
  }
  return kept
}
