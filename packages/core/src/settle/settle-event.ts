import type {
  Adapter,
  Interpreted,
  InterpretedFact,
  InterpretedNotice,
  SecondLook,
  Snapshot,
} from '../adapter/adapter.js'
import type { BookingEvent } from '../event/event.js'
import { identify, laneKey } from '../event/identity.js'
import type { Micros } from '../event/instant.js'
import type { Log, LogFields } from '../event/log.js'
import type { InboxOptions } from '../inbox/inbox-options.js'
import type {
  ClaimedLane,
  NewEvent,
  RegisteredSubscriber,
  Settlement,
  SettleTransaction,
  Store,
  StoredEvent,
} from '../inbox/store.js'
import { decide, slotsConcerned } from '../lifecycle/decide.js'
import type { Decision, Known, Outcome } from '../lifecycle/decision.js'
import type { Fact } from '../lifecycle/fact.js'
import { subjectsOf } from '../lifecycle/subject.js'
import type { Observer } from '../observe/observer.js'
import { bookingEvent, child, notice, type Source, takesType, tellLane, tellsFor } from './announce.js'
import { interpretEvent } from './interpret-event.js'

export interface Deciding {
  store: Pick<Store, 'settle'>
  adapter: Adapter
  log: Log
  hash(text: string): string
  /** When the account was connected; `firstUs` is the arrival of the event that asks. */
  connectedUs(provider: string, account: string, firstUs: Micros): Promise<Micros>
  slots: boolean
  resources: InboxOptions<readonly Adapter[]>['resources'] | undefined
  /** Told after each commit that wrote tells or made lanes due. */
  worked(): void
  observer: Required<Observer>
}

/** What a transaction leaves to be said after its commit. */
interface Aftermath {
  settled: (Outcome | 'dead')[]
  lines: { message: string; fields: LogFields }[]
}

/** Settles one event in one transaction: interpret, fold, decide, write. Safe to repeat: a settled event is left alone. */
export async function settleEvent(
  lane: ClaimedLane,
  event: StoredEvent,
  snapshot: Snapshot | null,
  deciding: Deciding,
): Promise<void> {
  const connectedUs = await deciding.connectedUs(event.provider, event.account, event.receivedUs)
  await inTransaction(lane, event, deciding, async (transaction, after) => {
    const row = await transaction.event(event.id)
    if (row?.status !== 'pending') return
    const found = await interpretEvent(transaction, row, snapshot, connectedUs, deciding)
    // Only what pokes find is compared with the last answer; others would keep a whole series with each of its bookings.
    const compared = row.origin === 'poke' ? snapshot : null
    const told: string[] = []
    for (const one of found) {
      const isOwn = one.key === row.dedupeKey
      const target = isOwn ? row : await transaction.addEvent(eventFound(row, one), true)
      if (!isOwn) told.push(target.id)
      if (target.status === 'pending')
        await settleInterpreted(transaction, target, one, compared, after, deciding)
    }
    if (!found.some(one => one.key === row.dedupeKey))
      await writeOutcome(
        transaction,
        row,
        'unchanged',
        told.length ? `It is told as ${told.join(', ')}.` : 'It found nothing new.',
      )
  })
}

/** Settles an event without deciding it: a dead letter of the fetch, a second look that was not needed. */
export async function giveUp(
  lane: ClaimedLane,
  event: StoredEvent,
  end: { status: 'settled' | 'dead'; outcome: Outcome | null; reason: string },
  deciding: Deciding,
): Promise<void> {
  await inTransaction(lane, event, deciding, async (transaction, after) => {
    const row = await transaction.event(event.id)
    if (row?.status !== 'pending') return
    await transaction.write({ ...nothing, event: { ...unchangedRow(row), ...end } })
    if (end.status === 'dead')
      after.lines.push({
        message: 'dead',
        fields: { event: row.id, booking: row.bookingId, reason: end.reason },
      })
  })
}

/** Runs `work` under the lane's fence and says afterwards what came of it. */
export async function inTransaction<Result>(
  lane: ClaimedLane,
  { id, origin, provider, account }: StoredEvent,
  { store, log, worked, observer }: Pick<Deciding, 'store' | 'log' | 'worked' | 'observer'>,
  work: (transaction: SettleTransaction, after: Aftermath) => Promise<Result>,
): Promise<Result> {
  const { after, result } = await store.settle(lane, async transaction => {
    const aftermath: Aftermath = { settled: [], lines: [] }
    const counting: SettleTransaction = {
      ...transaction,
      write(written) {
        const { event } = written
        // A timed second look is nobody's event.
        if (origin !== 'look' || event.id !== id) aftermath.settled.push(event.outcome ?? 'dead')
        return transaction.write(written)
      },
    }
    return { result: await work(counting, aftermath), after: aftermath }
  })
  for (const outcome of after.settled) observer.settled({ provider, account, outcome })
  for (const { message, fields } of after.lines) {
    if (message === 'settled') log.info(message, fields)
    else log.warn(message, fields)
  }
  worked()
  return result
}

async function settleInterpreted(
  transaction: SettleTransaction,
  row: StoredEvent,
  one: Interpreted,
  snapshot: Snapshot | null,
  after: Aftermath,
  deciding: Deciding,
): Promise<void> {
  if ('unreadable' in one) {
    await writeOutcome(transaction, row, 'unreadable', one.unreadable)
    if (one.look) await transaction.addEvent(lookEvent(row, one.look), false)
    after.lines.push({ message: 'unreadable', fields: { event: row.id, reason: one.unreadable } })
  } else if ('unchanged' in one) {
    await writeOutcome(transaction, row, 'unchanged', one.unchanged)
  } else if ('type' in one) {
    await settleNotice(transaction, row, one, after)
  } else {
    await settleFact(transaction, row, one, snapshot, after, deciding)
  }
}

async function settleNotice(
  transaction: SettleTransaction,
  row: StoredEvent,
  one: InterpretedNotice,
  after: Aftermath,
): Promise<void> {
  const subscribers = await transaction.subscribers()
  const occurredUs = one.occurredUs ?? row.receivedUs
  const told = notice(one.type, {
    event: row,
    occurredUs,
    occurredAtSource: one.occurredUs === null ? 'received' : 'provider',
    raw: one.raw,
  })
  const isTaken = subscribers.some(subscriber => takesType(subscriber.takes, one.type))
  const outcome = isTaken ? 'accepted' : 'ignored'
  const reason = isTaken
    ? 'It is about no booking.'
    : 'It is about no booking, and no subscriber takes its type.'
  await transaction.write({
    ...nothing,
    event: {
      ...unchangedRow(row),
      status: 'settled',
      outcome,
      reason,
      type: one.type,
      occurredUs,
      told: isTaken ? told : null,
    },
    tells: isTaken ? tellsFor(told, subscribers) : [],
  })
  after.lines.push({ message: 'settled', fields: { event: row.id, outcome, reason } })
}

async function settleFact(
  transaction: SettleTransaction,
  row: StoredEvent,
  one: InterpretedFact,
  snapshot: Snapshot | null,
  after: Aftermath,
  deciding: Deciding,
): Promise<void> {
  const { provider, account } = row
  // A fact that is decided again may have been about others before: all of them are folded without what it was.
  const subjects = [...new Set([...subjectsOf(one.fact), ...(row.fact ? subjectsOf(row.fact) : [])])].sort()
  const thread = withoutFact(await transaction.lockThread(provider, account, subjects), row.fact)
  const fact: Fact = {
    ...one.fact,
    key: one.key,
    // Decided again, it keeps its place in the order.
    occurredUs: one.fact.occurredUs ?? row.fact?.occurredUs ?? arrival(row, thread.bookings),
    resources: resourcesOf(row, one.fact, deciding),
  }
  const known = await lockSlots(transaction, row, thread, slotsConcerned(thread, fact), fact)
  const decision = decide(known, fact, { slots: deciding.slots })
  const source: Source = {
    event: row,
    occurredUs: fact.occurredUs,
    occurredAtSource: one.fact.occurredUs === null ? 'received' : 'provider',
    raw: one.raw,
  }
  // What was settled before has been compared with later answers since.
  if (snapshot !== null && row.fact === null && fact.target.kind === 'booking') {
    const id = fact.target.id
    if (decision.outcome !== 'refused')
      decision.bookings = decision.bookings.map(booking =>
        booking.id === id ? { ...booking, snapshot } : booking,
      )
  }
  await transaction.write(settlement(row, fact, decision, source, await transaction.subscribers()))
  if (one.look) await transaction.addEvent(lookEvent(row, one.look), false)
  await finish(transaction, row, decision, after)
}

function withoutFact(thread: Thread, old: Fact | null): Thread {
  return old === null ? thread : { ...thread, facts: thread.facts.filter(fact => fact.key !== old.key) }
}

type Thread = Pick<Known, 'facts' | 'bookings' | 'waiting'>

/** Locks the slots and reads who else is in these meetings: the last things to be known before deciding. */
export async function lockSlots(
  transaction: SettleTransaction,
  { provider, account }: StoredEvent,
  thread: Thread,
  slots: Decision['free'],
  fact: Fact,
): Promise<Known> {
  const held = await transaction.lockSlots(slots)
  const meetings = new Set<string>()
  for (const booking of thread.bookings) if (booking.meetingId !== null) meetings.add(booking.meetingId)
  for (const one of [...thread.facts, fact]) if (one.meetingId !== null) meetings.add(one.meetingId)
  const neighbours = await transaction.neighbours(
    provider,
    account,
    [...meetings],
    thread.bookings.map(booking => booking.id),
  )
  return { provider, account, ...thread, slots: held, neighbours, nowUs: transaction.nowUs }
}

/** A decision as what is written. The event's own announcement is kept with it, also while it waits for its slots. */
export function settlement(
  row: StoredEvent,
  fact: Fact,
  decision: Decision,
  source: Source,
  subscribers: readonly RegisteredSubscriber[],
): Settlement {
  const own = decision.announcements.find(announcement => announcement.suffix === '')
  const further = decision.announcements.filter(announcement => announcement.suffix !== '')
  const children = further.map(announcement => child(announcement, source, 'accepted', decision.reason))
  const told: BookingEvent[] = [...(own ? [bookingEvent(own, source)] : []), ...children.map(one => one.told)]
  const first = further[0]
  const draft =
    decision.wait && first
      ? bookingEvent({ ...first, suffix: '', type: decision.wait.wanted, conflict: null }, source)
      : null
  return {
    event: {
      id: row.id,
      status: decision.wait ? 'waiting' : 'settled',
      outcome: decision.outcome,
      reason: decision.reason,
      type: decision.type,
      bookingId: decision.bookingId,
      meetingId: decision.meetingId,
      threadId: decision.threadId,
      occurredUs: fact.occurredUs,
      fact,
      told: own ? (told[0] ?? null) : draft,
    },
    children,
    subjects: subjectsOf(fact),
    decision,
    tells: told.flatMap(event => tellsFor(event, subscribers)),
    laneJoins: decision.joins.flatMap(({ older, younger }) =>
      subscribers.map(({ name }) => ({
        older: tellLane(name, row.provider, row.account, older),
        younger: tellLane(name, row.provider, row.account, younger),
      })),
    ),
  }
}

/** Wakes those who wait for what the decision changed, and collects what is logged once it is committed. */
export async function finish(
  transaction: SettleTransaction,
  row: StoredEvent,
  decision: Decision,
  after: Aftermath,
): Promise<void> {
  const { outcome, reason } = decision
  const fields = {
    event: row.id,
    booking: decision.bookingId,
    provider: row.provider,
    account: row.account,
    outcome,
    reason,
  }
  after.lines.push({ message: outcome === 'refused' || outcome === 'conflict' ? outcome : 'settled', fields })
  if (decision.wake.length === 0) return
  const waiters = await transaction.waitersFor(decision.wake)
  await transaction.wake(waiters.map(({ eventId }) => eventId))
}

const nothing = {
  children: [],
  subjects: [],
  decision: null,
  tells: [],
  laneJoins: [],
} satisfies Partial<Settlement>

/** Settles an event that leaves nothing but its outcome. */
export async function writeOutcome(
  transaction: SettleTransaction,
  row: StoredEvent,
  outcome: Outcome,
  reason: string,
): Promise<void> {
  await transaction.write({ ...nothing, event: { ...unchangedRow(row), status: 'settled', outcome, reason } })
}

function unchangedRow(row: StoredEvent): Omit<Settlement['event'], 'status' | 'outcome' | 'reason'> {
  return {
    id: row.id,
    type: row.type,
    bookingId: row.bookingId,
    meetingId: row.meetingId,
    threadId: null,
    occurredUs: row.occurredUs,
    fact: null,
    told: null,
  }
}

/** Where the provider sends no time: the time of arrival, but after all that is known of the booking (rule 2). */
function arrival(row: StoredEvent, bookings: Known['bookings']): Micros {
  return Math.max(row.receivedUs, ...bookings.map(booking => booking.lastOccurredUs + 1))
}

function resourcesOf(
  { provider, account }: StoredEvent,
  fact: InterpretedFact['fact'],
  deciding: Deciding,
): string[] | null {
  if (fact.resources === null) return null
  if (!deciding.resources) return fact.resources.map(resource => `${provider}/${account}/${resource}`)
  const bookingId = fact.target.kind === 'booking' ? fact.target.id : null
  return deciding.resources({
    provider,
    account,
    bookingId,
    meetingId: fact.meetingId,
    resources: fact.resources,
  })
}

function eventFound(row: StoredEvent, one: Interpreted): NewEvent {
  const event = furtherEvent(row, one.key)
  return 'fact' in one && one.providerType ? { ...event, providerType: one.providerType } : event
}

function furtherEvent(row: StoredEvent, dedupeKey: string): NewEvent {
  return {
    ...row,
    ...identify(row.provider, row.account, dedupeKey),
    dedupeKey,
    body: null,
    parentId: row.id,
    origin: 'settling',
    afterMs: 0,
  }
}

function lookEvent(row: StoredEvent, look: SecondLook): NewEvent {
  return {
    ...furtherEvent(row, look.key),
    lane: laneKey('settle', row.provider, row.account, look.lane),
    providerType: 'look',
    type: null,
    bookingId: look.unlessKnown,
    meetingId: null,
    occurredUs: null,
    // A body of its own: the store would give it its parent's.
    body: Buffer.from(JSON.stringify(look.subject)),
    parentId: null,
    origin: 'look',
    index: 0,
    afterMs: look.afterMs,
  }
}
