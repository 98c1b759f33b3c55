import type { BookingEvent } from '../event/event.js'
import type { Micros } from '../event/instant.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { NewTell } from '../inbox/new-tell.js'
import type { RegisteredSubscriber } from '../inbox/registered-subscriber.js'
import type { Outcome, StoredBooking } from '../lifecycle/decision.js'
import type { EventFilter } from '../listing/listing-store.js'
import type { StoredTell } from '../tell/stored-tell.js'

/** What a replay was asked to do. */
export interface ReplayRequest {
  filter: EventFilter
  /** Forgets what `once` kept of the events, so that finished steps run again. */
  fresh: boolean
  /** Tells also of bookings that have since ended or moved. */
  overtaken: boolean
  /** Tells only this subscriber, also what it never heard; null for everyone who takes the event. */
  subscriber: string | null
}

/** What a replay means: the events that were finished when it was asked for. What comes later is told anyway. */
export interface ReplayScope {
  untilUs: Micros
  untilSequence: number
  /** How many events there are to look at. */
  events: number
  /** How many more the filter means that retention or erasure has blanked: nothing is left to tell of them. */
  blank: number
}

/** How far a replay has come: the last event looked at. */
export interface ReplayCursor {
  finishedUs: Micros
  sequence: number
}

/** What became of the events that a replay has looked at so far. Each is one of `told`, `decided`, `overtaken` and `leftOut`. */
export interface ReplayCounts {
  /** Accepted events that are told again. */
  told: number
  /** Events that are decided again; who is told of them hears them for the first time. */
  decided: number
  /** Left out, because the booking has since ended or moved. */
  overtaken: number
  /** Left out, because nothing was ever to be told of them, nobody takes them, or their first telling is still to come. */
  leftOut: number
  /** Callbacks that are to run: one for each event told again and each subscriber that takes it. */
  tells: number
}

/** A replay as its lane's holder reads it. */
export interface StoredReplay extends ReplayRequest {
  id: string
  scope: ReplayScope
  cursor: ReplayCursor | null
  counts: ReplayCounts
  /** Its tells that are still to run, and its events that are still to be decided. */
  outstanding: number
}

/** An event that a replay looks at, with all that decides what becomes of it. */
export interface ReplayCandidate {
  eventId: string
  cursor: ReplayCursor
  status: 'pending' | 'waiting' | 'settled' | 'dead'
  outcome: Outcome | null
  /** The event as first told; null where it never was. */
  told: BookingEvent | null
  hasFact: boolean
  /** Its booking as it is now; null where there is none. */
  booking: StoredBooking | null
  /** The newest tell of each subscriber, and whether the first telling is still to come. */
  tells: { subscriber: string; status: 'pending' | 'done' | 'dead'; isFirstPending: boolean }[]
}

/** What one page of a replay writes, in one transaction with the cursor. */
export interface ReplayPage {
  tells: NewTell[]
  /** Events that are decided again: pending from now on, their lanes due. Those that were settled keep their snapshot, others are fetched anew. */
  decide: { eventId: string; wasSettled: boolean }[]
  counts: ReplayCounts
  cursor: ReplayCursor | null
  isLast: boolean
}

/** A replay as people see it. */
export interface ReplayRow extends ReplayRequest {
  id: string
  /** `running` until every event was looked at and every callback has run. */
  state: 'running' | 'done'
  requestedAt: string
  /** When the last event was looked at; null before. */
  finishedAt: string | null
  scope: Pick<ReplayScope, 'events' | 'blank'>
  counts: ReplayCounts
  /** Its events that are over: looked at, and none of their callbacks or decisions is still to come. Of `scope.events`. */
  done: number
  /** Its callbacks by how they stand. */
  tells: { pending: number; done: number; dead: number }
}

/** What replays need of a store. */
export interface ReplayStore {
  /** What a replay asked for now would mean. */
  replayScope(filter: EventFilter): Promise<ReplayScope>
  /** The next events of a replay, in the order in which they were settled, bounded in rows and bytes. */
  replayCandidates(
    filter: EventFilter,
    scope: ReplayScope,
    after: ReplayCursor | null,
    limit: number,
  ): Promise<{ candidates: ReplayCandidate[]; isLast: boolean }>
  /** Writes a replay down with its lane, which is due now. */
  addReplay(replay: ReplayRequest & { id: string; lane: string; scope: ReplayScope }): Promise<void>
  /** The replay of a lane; null where there is none. */
  replayOf(lane: ClaimedLane): Promise<StoredReplay | null>
  /** Writes one page of a replay; rejects with LEASE_LOST. */
  writeReplayPage(lane: ClaimedLane, replay: StoredReplay, page: ReplayPage): Promise<void>
  /** Takes a replay's tell back that was overtaken before it ran; rejects with LEASE_LOST. */
  leaveOut(lane: ClaimedLane, tell: StoredTell): Promise<void>
  /** Newest first. */
  replays(filter: { id?: string; limit: number }): Promise<ReplayRow[]>
  /** The subscribers of all processes. */
  subscribers(): Promise<RegisteredSubscriber[]>
}
