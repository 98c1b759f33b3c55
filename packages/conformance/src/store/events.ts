import {
  type ClaimedLane,
  identify,
  type LaneKind,
  laneKey,
  type NewEvent,
  type Store,
  type StoredEvent,
} from '@booking-webhooks/core'

export const provider = 'example'
export const account = 'default'

/** 2026-01-01T09:00:00.000001Z: odd in the last place, so that a lost microsecond shows. */
export const nineUs = 1_767_258_000_000_001

/** An event of a booking, in the booking's lane. */
export function newEvent(key: string, change: Partial<NewEvent> & { booking?: string } = {}): NewEvent {
  const { booking = `booking of ${key}`, ...rest } = change
  return {
    ...identify(provider, rest.account ?? account, key),
    dedupeKey: key,
    lane: settleLane(booking),
    provider,
    account,
    providerType: 'reservation.made',
    type: 'booking.created',
    bookingId: booking,
    meetingId: null,
    occurredUs: nineUs,
    receivedUs: nineUs + 1_000_000,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ key })),
    parentId: null,
    index: 0,
    unreadable: null,
    origin: 'delivery',
    afterMs: 0,
    ...rest,
  }
}

export function settleLane(booking: string): string {
  return laneKey('settle', provider, account, booking)
}

export function tellLane(subscriber: string, thread: string): string {
  return laneKey('tell', subscriber, provider, account, thread)
}

/** Claims what is due, as a worker of this name would. */
export function claim(
  store: Store,
  kind: LaneKind = 'settle',
  { limit = 100, leaseMs = 60_000, owner = 'worker', subscribers = ['calendar'] } = {},
): Promise<ClaimedLane[]> {
  return store.claim({ kind, limit, leaseMs, owner, subscribers })
}

/** The one lane that is due; an error where it is not one. */
export async function claimOne(
  store: Store,
  kind: LaneKind = 'settle',
  options: Parameters<typeof claim>[2] = {},
): Promise<ClaimedLane> {
  const lanes = await claim(store, kind, options)
  const [lane] = lanes
  if (!lane || lanes.length > 1) throw new Error(`${lanes.length} ${kind} lanes are due, not one.`)
  return lane
}

/** Records one event and claims its lane. */
export async function recordAndClaim(
  store: Store,
  event: NewEvent,
): Promise<{ lane: ClaimedLane; stored: StoredEvent }> {
  await store.record([event])
  const lane = (await claim(store)).find(({ key }) => key === event.lane)
  if (!lane) throw new Error('The lane of a new event is not due.')
  const stored = (await store.pendingEvents(lane, 100)).find(({ id }) => id === event.id)
  if (!stored) throw new Error('A new event is not pending.')
  return { lane, stored }
}

/** Lets a lane's lease run out. */
export async function runOut(store: Store, lane: ClaimedLane): Promise<void> {
  if (!(await store.renew(lane, 0))) throw new Error('The lease was lost already.')
}
