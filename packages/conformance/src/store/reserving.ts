import type {
  Settlement,
  SettleTransaction,
  Slot,
  Store,
  StoredBooking,
  StoredEvent,
} from '@booking-webhooks/core'
import { account, claim, newEvent, provider } from './events.js'
import { newBooking, newFact, settlementOf, type Wanted } from './settling.js'

/** What somebody wants of a booking: to have these resources at this time, or to leave. */
export interface Reservation {
  do: 'reserve' | 'cancel'
  booking: string
  /** Null: the booking is its own meeting. */
  meeting?: string | null
  resources?: string[]
  startsUs?: number
}

/** Records what is wanted, each in its booking's lane. */
export async function ask(store: Store, ...reservations: Reservation[]): Promise<void> {
  await store.record(
    reservations.map(one =>
      newEvent(`${one.do} ${one.booking}`, { booking: one.booking, body: Buffer.from(JSON.stringify(one)) }),
    ),
  )
}

/** Ten workers settle all that is due, spread over these stores. They do what core does, with a lifecycle as small as the promises about slots allow. */
export async function settleAll(...stores: Store[]): Promise<void> {
  await Promise.all(Array.from({ length: 10 }, (_, index) => worker(stores[index % stores.length] as Store)))
}

async function worker(store: Store): Promise<void> {
  for (;;) {
    const [lane] = await claim(store, 'settle', { limit: 1 })
    if (!lane) return
    for (const { id } of await store.pendingEvents(lane, 100)) {
      await store.settle(lane, transaction => settleReservation(transaction, id))
    }
    await store.release(lane, { to: 'idle' })
  }
}

/** Settles one event in the order of locks that `SettleTransaction` names, and wakes those that wait for what it freed. */
async function settleReservation(transaction: SettleTransaction, id: string): Promise<void> {
  const event = await transaction.event(id)
  if (!event) throw new Error(`${id} is not there`)
  const wanted: Reservation = JSON.parse(Buffer.from(event.body).toString())
  const thread = await transaction.lockThread(provider, account, [`b:${wanted.booking}`])
  if (event.status === 'waiting' && !thread.waiting.some(({ eventId }) => eventId === id)) return
  const [known] = thread.bookings
  const write = (settled: Wanted) => transaction.write(settlementOf(event, settled))
  if (wanted.do === 'reserve') {
    await write(
      known?.status === 'canceled' ? { outcome: 'refused' } : await reserved(transaction, event, wanted),
    )
    return
  }
  const free = known ? await freed(transaction, known) : []
  const booking = known && { ...known, status: 'canceled' as const, waits: false }
  const noLongerWaiting = thread.waiting.map(({ eventId }) => ({ eventId, reason: 'It was canceled.' }))
  await write({
    fact: factOf(event, 'canceled'),
    decision: decision({ bookings: booking ? [booking] : [], free, noLongerWaiting }),
  })
  const waiters = await transaction.waitersFor(free)
  await transaction.wake(waiters.map(({ eventId }) => eventId))
}

async function reserved(
  transaction: SettleTransaction,
  event: StoredEvent,
  { booking: id, meeting = `meeting of ${id}`, resources = ['host'], startsUs = 0 }: Reservation,
): Promise<Wanted> {
  const slots = resources.map(resource => ({ resource, startsUs }))
  const held = await transaction.lockSlots(slots)
  const isFree = held.every(({ meetingId }) => meetingId === (meeting ?? id))
  const booking = newBooking(id, {
    meetingId: meeting,
    resources,
    startsUs,
    endsUs: startsUs,
    waits: !isFree,
  })
  const fact = factOf(event, 'created')
  if (!isFree)
    return {
      outcome: 'conflict',
      status: 'waiting',
      fact,
      decision: decision({ bookings: [booking], wait: { bookingId: id, slots, wanted: 'booking.created' } }),
    }
  const take = slots.map(slot => ({ ...slot, provider, account, meetingId: meeting ?? id }))
  return { fact, decision: decision({ bookings: [booking], take }) }
}

/** The slots that a booking leaves behind: none while it waits, or while others of its meeting stay. */
async function freed(transaction: SettleTransaction, booking: StoredBooking): Promise<Slot[]> {
  const slots = booking.resources.map(resource => ({ resource, startsUs: booking.startsUs ?? 0 }))
  await transaction.lockSlots(slots)
  const others = await transaction.neighbours(
    provider,
    account,
    [booking.meetingId ?? booking.id],
    [booking.id],
  )
  const isLast = others.every(({ waits }) => waits)
  return booking.status === 'confirmed' && !booking.waits && isLast ? slots : []
}

function factOf(event: StoredEvent, kind: 'created' | 'canceled') {
  return newFact(event.bookingId ?? '', { kind, key: event.dedupeKey })
}

type Decision = NonNullable<Settlement['decision']>

function decision(change: Partial<Decision>): Decision {
  return { bookings: [], free: [], take: [], wait: null, noLongerWaiting: [], ...change }
}
