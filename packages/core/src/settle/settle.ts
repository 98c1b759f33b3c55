import type { Adapter, Snapshot } from '../adapter/adapter.js'
import { holdLane } from '../inbox/hold-lane.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { Deciding } from './deciding.js'
import { type Fetching, fetchSnapshot } from './fetch-snapshot.js'
import { leaveForLater } from './left-lane.js'
import { missingHalf } from './missing-half.js'
import { promoteEvent } from './promote-event.js'
import { readAgain } from './read-again.js'
import { readingOf } from './reading-of.js'
import { giveUp, settleEvent } from './settle-event.js'
import { settleOrRetry } from './settle-or-retry.js'
import { stageOf } from './stage-of.js'

export interface Settling extends Fetching, Omit<Deciding, 'adapter'> {
  store: Store
  adapters: ReadonlyMap<string, Adapter>
  leaseMs: number
}

/** How much of a lane is read at once; a lane that has more is due again at once. */
const eventsAtOnce = 100

/** How long a lane rests whose provider this process has no adapter for, in milliseconds: another process may. Longer each time. */
const noAdapterMs = { first: 2_000, most: 60_000 }

/**
 * Settles a lane's events in order of arrival: fetch where needed, then one transaction each that decides status, slot,
 * outcome and who is told. Never waits for a subscriber; goes to the back-off only for a failed fetch, for `resources`, or
 * where a run did not come back.
 */
export async function settle(lane: ClaimedLane, settling: Settling): Promise<void> {
  const { store } = settling
  if (lane.isAbandoned) return await leaveForLater(lane, settling)
  await holdLane(store, lane, settling.leaseMs, async signal => {
    const events = await store.pendingEvents(lane, eventsAtOnce)
    const fetched: { snapshot: Snapshot | null } = { snapshot: null }
    for (const event of events) {
      signal.throwIfAborted()
      const comeBack = await settling.observer.during(stageOf('settle', event), () =>
        event.status === 'waiting'
          ? promoteEvent(lane, event, settling).then(after)
          : settleOne(lane, event, events, fetched, signal, settling),
      )
      if (comeBack !== null) {
        const { afterMs, hasFailed = true } = comeBack
        await store.release(lane, { to: 'later', afterMs, failures: lane.failures + Number(hasFailed) })
        return
      }
    }
    await store.release(
      lane,
      events.length < eventsAtOnce ? { to: 'idle' } : { to: 'later', afterMs: 0, failures: 0 },
    )
  })
}

/** When to come back to a lane, and whether nothing was tried. */
interface ComeBack {
  afterMs: number
  hasFailed?: false
}

/** Null when the event is settled. */
async function settleOne(
  lane: ClaimedLane,
  event: StoredEvent,
  events: readonly StoredEvent[],
  shared: { snapshot: Snapshot | null },
  signal: AbortSignal,
  settling: Settling,
): Promise<ComeBack | null> {
  const adapter = settling.adapters.get(event.provider)
  if (!adapter) {
    settling.log.warn('no adapter for this provider here', { event: event.id, provider: event.provider })
    return { afterMs: Math.min(noAdapterMs.most, noAdapterMs.first * 2 ** lane.failures) }
  }
  const deciding = { ...settling, adapter }
  if (event.unreadable !== null) {
    await (event.replays > 0 ? readAgain : settleUnreadable)(lane, event, deciding)
    return null
  }
  // What a settled event was told by the API is never asked again.
  if (event.fact !== null) {
    await settleEvent(lane, event, event.snapshot, deciding)
    return null
  }
  if (event.origin === 'look' && (await isKnown(lane, event, settling.store))) {
    await giveUp(
      lane,
      event,
      { status: 'settled', outcome: 'unchanged', reason: 'It came by itself.' },
      deciding,
    )
    return null
  }
  // One fetch serves every poke that was read before it began.
  if (event.origin === 'poke' && event.snapshot === null && shared.snapshot !== null) {
    const settled = await settleOrRetry(lane, event, shared.snapshot, deciding)
    return settled.is === 'later' ? settled : null
  }
  const behind = event.origin === 'poke' ? pokesBehind(event, events) : []
  const serves = [readingOf(event), ...behind.map(readingOf)] as const
  const fetched = await fetchSnapshot(lane, event, serves, adapter, signal, settling)
  if (fetched.is === 'later') return fetched
  if (fetched.is === 'dead') {
    await giveUp(lane, event, { status: 'dead', outcome: null, reason: fetched.reason }, deciding)
    return null
  }
  if (event.origin === 'poke' && event.snapshot === null) shared.snapshot = fetched.snapshot
  const settled = await settleOrRetry(lane, event, fetched.snapshot, deciding)
  if (settled.is === 'later') return settled
  if (settled.isLeft || event.origin !== 'look' || event.bookingId === null) return null
  if (!(await isKnown(lane, event, settling.store)))
    await settling.alert(missingHalf(event.provider, event.account, event.bookingId), {
      provider: event.provider,
      account: event.account,
      booking: event.bookingId,
      reason: 'The other half of a reschedule has not come.',
    })
  return null
}

function after(afterMs: number | null): ComeBack | null {
  return afterMs === null ? null : { afterMs }
}

async function settleUnreadable(lane: ClaimedLane, event: StoredEvent, deciding: Deciding): Promise<void> {
  await settleEvent(lane, event, null, deciding)
}

function pokesBehind(event: StoredEvent, events: readonly StoredEvent[]): StoredEvent[] {
  return events
    .slice(events.indexOf(event) + 1)
    .filter(
      one => one.origin === 'poke' && one.status === 'pending' && one.snapshot === null && one.fact === null,
    )
}

/** Whether the booking that a second look is about has become known without it. */
async function isKnown(lane: ClaimedLane, look: StoredEvent, store: Store): Promise<boolean> {
  const { provider, account, bookingId } = look
  if (bookingId === null) return false
  const booking = await store.settle(lane, transaction => transaction.booking(provider, account, bookingId))
  return booking !== null && booking.status !== null
}
