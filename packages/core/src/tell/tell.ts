import type { Booking } from '../event/booking.js'
import { describeError } from '../event/describe-error.js'
import { parseInstant } from '../event/instant.js'
import type { Log } from '../event/log.js'
import { holdLane } from '../inbox/hold-lane.js'
import type { ClaimedLane, Release } from '../inbox/lane.js'
import type { Store } from '../inbox/store.js'
import { renderBooking } from '../lifecycle/render-booking.js'
import type { Observer } from '../observe/observer.js'
import { isOvertaken } from '../replay/overtaken.js'
import { takesType } from '../settle/announce.js'
import { aboutOf, stageOf } from './about-tell.js'
import type { Alerts } from './alerts.js'
import { backoff } from './backoff.js'
import { run } from './run.js'
import type { StoredTell, TellResult } from './stored-tell.js'
import type { Streak } from './streak.js'
import type { NamedSubscriber } from './subscribers.js'
import { tellFailure } from './tell-error.js'

export interface Telling {
  store: Store
  subscribers: ReadonlyMap<string, NamedSubscriber>
  leaseMs: number
  log: Log
  random: () => number
  now: () => Date
  observer: Required<Observer>
  /** True once the process wants to stop: what runs is finished, nothing new is begun. */
  isClosing(): boolean
  alerts: Pick<Alerts, 'ruleFor' | 'raised'>
  /** After how many milliseconds to look again at a tell that is not taken here; null where it is left to nobody. */
  leaving(tell: StoredTell): number | null
}

/** How many tells of a lane are read at once; a lane that has more is due again at once. */
const tellsAtOnce = 50

/**
 * Tells a lane's events to its subscriber, one after another. A failed run sends the lane to the back-off; a tell whose attempts
 * are used up is a dead letter and the lane goes on; one of a type that is not taken here is left to a process that takes it. A lane
 * that comes back through an expired lease goes to the back-off first: whoever had it died, perhaps of its first tell, and the lane's
 * neighbours must not die with it.
 */
export async function tell(lane: ClaimedLane, telling: Telling): Promise<void> {
  const { store, log } = telling
  if (lane.isAbandoned) {
    const failures = lane.failures + 1
    const [first] = await store.pendingTells(lane, 1)
    log.warn('a run did not come back', { lane: lane.key, ...(first && aboutOf(first)), failures })
    const subscriber = telling.subscribers.get(first?.subscriber ?? '')
    const afterMs = subscriber ? backoff(failures, subscriber.backoff, telling.random) : 0
    await store.release(lane, { to: 'later', afterMs, failures })
    return
  }
  await holdLane(store, lane, telling.leaseMs, async signal => {
    const tells = await store.pendingTells(lane, tellsAtOnce)
    let failures = lane.failures
    // The end of one tell is written together with what comes next of the lane.
    let ending: Ran['ending'] = Promise.resolve()
    const letGo = (to: Release) => Promise.all([ending, store.release(lane, to)])
    for (const one of tells) {
      const subscriber = telling.subscribers.get(one.subscriber)
      if (!subscriber || telling.isClosing()) {
        await letGo({ to: 'later', afterMs: 0, failures })
        return
      }
      const restMs = takesType(subscriber.takes, one.event.type) ? null : telling.leaving(one)
      if (restMs !== null) {
        log.info('left to a process that takes it', { ...aboutOf(one), type: one.event.type })
        await letGo({ to: 'later', afterMs: restMs, failures })
        return
      }
      const ran = await tellOne(lane, one, subscriber, { failures, before: ending, signal }, telling)
      ending = ran.ending
      if (ran.retryInMs !== null) {
        await letGo({ to: 'later', afterMs: ran.retryInMs, failures: failures + 1 })
        return
      }
      failures = 0
    }
    await letGo(tells.length < tellsAtOnce ? { to: 'idle' } : { to: 'later', afterMs: 0, failures: 0 })
  })
}

interface Turn {
  /** Of this lane, one after another. */
  failures: number
  /** Resolves when the end of the tell before is written. */
  before: Promise<unknown>
  signal: AbortSignal
}

interface Ran {
  /** Null when the tell is finished (done or dead), else after how many milliseconds to try again. */
  retryInMs: number | null
  /** Resolves when its end is written. To be awaited along with whatever is written next. */
  ending: Promise<unknown>
}

async function tellOne(
  lane: ClaimedLane,
  one: StoredTell,
  subscriber: NamedSubscriber,
  { failures, before, signal }: Turn,
  telling: Telling,
): Promise<Ran> {
  const { store, log } = telling
  const about = aboutOf(one)
  if (one.attempts >= subscriber.attempts) {
    const error = 'Its attempts are used up; the last run did not come back.'
    await Promise.all([before, end(lane, one, { is: 'dead', error }, telling)])
    log.error('dead', { ...about, attempt: one.attempts, reason: 'The last run did not come back.' })
    return finished()
  }
  let now: Booking | null = null
  if (one.replay !== '') {
    await before
    now = await bookingNow(one, store)
    if (!one.isOvertakenToo && isOvertaken(one.event, now)) {
      await store.leaveOut(lane, one)
      log.info('overtaken', { ...about, replay: one.replay })
      return finished()
    }
  }
  const [attempt] = await Promise.all([store.beginAttempt(lane, one), before])
  if (attempt === null) return finished()
  const running = { store, log, lane, tell: one, attempt, now, lost: signal }
  const ran = await telling.observer.during(stageOf(one, attempt), () =>
    run(running, subscriber, telling.alerts.ruleFor(one.subscriber, null)),
  )
  if (ran.is !== 'committed') signal.throwIfAborted()
  if (ran.is === 'committed') ended(one, 'done', ran.streak, telling)
  if (ran.is !== 'failed') {
    const ending = ran.is === 'done' ? end(lane, one, { is: 'done' }, telling) : Promise.resolve()
    return finished(ending.then(() => log.info('told', { ...about, type: one.event.type, attempt })))
  }
  const reason = describeError(ran.error)
  const { retry } = tellFailure(ran.error)
  if (retry === 'never' || attempt >= subscriber.attempts) {
    const ending = end(lane, one, { is: 'dead', error: reason }, telling)
    return finished(
      ending.then(({ consecutiveFailures }) =>
        log.error('dead', { ...about, attempt, reason, consecutiveFailures }),
      ),
    )
  }
  const gap = backoff(failures + 1, subscriber.backoff, telling.random)
  const retryInMs = retry === 'backoff' ? gap : Math.max(gap, retry)
  const ending = end(lane, one, { is: 'failed', error: reason }, telling)
  return {
    retryInMs,
    ending: ending.then(({ consecutiveFailures }) =>
      log.warn('attempt failed', { ...about, attempt, reason, consecutiveFailures, retryInMs }),
    ),
  }
}

function finished(ending: Promise<unknown> = Promise.resolve()): Ran {
  return { retryInMs: null, ending }
}

/** The event's booking as it is today. */
async function bookingNow({ event }: StoredTell, store: Store): Promise<Booking | null> {
  if (event.booking === null) return null
  const row = await store.booking(event.provider, event.account, event.booking.id)
  return row && renderBooking(row)
}

async function end(
  lane: ClaimedLane,
  one: StoredTell,
  result: TellResult,
  telling: Telling,
): Promise<Streak> {
  const error = result.is === 'done' ? null : result.error
  const rule = telling.alerts.ruleFor(one.subscriber, error)
  const streak = await telling.store.endAttempt(lane, one, result, rule)
  ended(one, result.is, streak, telling)
  return streak
}

/** What is to be said of a run once its end is committed. */
function ended(
  { event, subscriber, replay }: StoredTell,
  result: TellResult['is'],
  { isRaised }: Streak,
  { alerts, observer, now }: Telling,
): void {
  if (isRaised) alerts.raised()
  const isReplay = replay !== ''
  const receivedUs = result === 'done' && !isReplay ? parseInstant(event.receivedAt) : null
  const afterMs = receivedUs === null ? null : now().getTime() - receivedUs / 1000
  observer.attempted({ subscriber, result, isReplay, afterMs })
}
