import type { BookingEvent, EventType } from '../event/event.js'
import type { Micros } from '../event/instant.js'
import type { ExplainStore } from '../explain/explanation.js'
import type { HealthStore } from '../health/health.js'
import type { Decision, HeldSlot, Outcome, Slot, StoredBooking, Waiting } from '../lifecycle/decision.js'
import type { Fact } from '../lifecycle/fact.js'
import type { ReplayStore } from '../replay/replay-store.js'
import type { RetentionStore } from '../retention/retention-store.js'
import type { RetirementStore } from '../tell/retire.js'

/** An event on its way into the ledger. */
export interface NewEvent {
  /** `evt_…`, derived from the dedupe key. */
  id: string
  /** SHA-256 over provider, account and key, 64 hex digits. Unique. */
  dedupeHash: string
  /** The key in words, for people. Free of guests' data. */
  dedupeKey: string
  /** The settle lane's key. */
  lane: string
  provider: string
  account: string
  providerType: string
  type: EventType | null
  bookingId: string | null
  meetingId: string | null
  occurredUs: Micros | null
  receivedUs: Micros
  headers: Record<string, string>
  /** The exact bytes; null for an event that settling another one (`parentId`) brought forth. */
  body: Uint8Array | null
  parentId: string | null
  /** Which of the readings of its body this is, from 0. */
  index: number
  unreadable: string | null
  /** `poke` says only "look again"; `look` is a timed second look of our own, never shown; `settling` came of another event. */
  origin: 'delivery' | 'poke' | 'look' | 'settling'
  /** The lane is not due before this many milliseconds from now (a timed second look); 0 for everything else. */
  afterMs: number
}

/** What became of a recorded event: a new row, or a repeat counted on the one that was there. */
export interface Recorded {
  id: string
  isNew: boolean
  /** How often it has come by now. */
  deliveries: number
}

export type LaneKind = 'settle' | 'tell' | 'replay'

/** A lane in this process's hands until its lease runs out. Every write names the fence. */
export interface ClaimedLane {
  key: string
  kind: LaneKind
  fence: number
  wake: number
  /** Consecutive failures, for the back-off. */
  failures: number
  /** It came back through an expired lease: whoever had it died or hung. */
  isAbandoned: boolean
}

export interface ClaimRequest {
  kind: LaneKind
  limit: number
  leaseMs: number
  /** Names the claiming process. */
  owner: string
  /** Only tell lanes of these subscribers; ignored for other lanes. */
  subscribers: string[]
}

/** A row of the ledger with what settling needs of it. `body` is the parent's where it has none of its own. */
export interface StoredEvent extends Omit<NewEvent, 'afterMs'> {
  /** Order of arrival. */
  sequence: number
  body: Uint8Array
  status: 'pending' | 'waiting' | 'settled' | 'dead'
  outcome: Outcome | null
  snapshot: unknown
  /** The event under its own id: as told, or as it will be told once its slots are free; null where neither. */
  told: BookingEvent | null
  /** Tries of the fetch. */
  attempts: number
  fact: Fact | null
  deliveries: number
  /** How often a replay took it up. */
  replays: number
}

/** One event for one subscriber. */
export interface StoredTell {
  eventId: string
  subscriber: string
  /** `''` for the first telling, else the replay's id. */
  replay: string
  attempts: number
  /** The event as first told. */
  event: BookingEvent
  /** The trace context of the delivery that brought the event, as W3C `traceparent`; null where none was kept. */
  deliveredIn: string | null
  /** True on a replay that tells also what is overtaken. */
  isOvertakenToo: boolean
}

/** Where a lane goes when its holder lets go of it. */
export type Release =
  /** Idle, unless something came meanwhile: then due at once. */
  | { to: 'idle' }
  /** Due again after so many milliseconds, with this count of consecutive failures. */
  | { to: 'later'; afterMs: number; failures: number }

/** Everything one settled event writes, in one transaction. */
export interface Settlement {
  event: {
    id: string
    status: 'settled' | 'waiting' | 'dead'
    /** Null only for a dead letter that was never decided. */
    outcome: Outcome | null
    reason: string
    type: EventType | null
    bookingId: string | null
    meetingId: string | null
    threadId: string | null
    occurredUs: Micros | null
    fact: Fact | null
    /** The event under its own id: as told, or as it will be told once its slots are free; null where neither. */
    told: BookingEvent | null
  }
  /** Further events of this one: conflicts, other earlier bookings of the thread, further facts of one reading. */
  children: NewChild[]
  /** Ids, meetings and aliases under which the fact is found again; see `subjects`. */
  subjects: string[]
  decision: Pick<Decision, 'bookings' | 'free' | 'take' | 'wait' | 'noLongerWaiting'> | null
  tells: NewTell[]
  /** Tell lanes to be told in order: `older` waits until `younger` is idle. */
  laneJoins: { older: string; younger: string }[]
}

/** An event that settling another one brought forth. Its row is settled at birth. */
export interface NewChild {
  id: string
  dedupeHash: string
  dedupeKey: string
  type: EventType
  bookingId: string | null
  meetingId: string | null
  threadId: string | null
  occurredUs: Micros
  outcome: Outcome
  reason: string
  told: BookingEvent
}

export interface NewTell {
  eventId: string
  subscriber: string
  lane: string
}

/** The one transaction in which an event is settled. Locks are taken in the order of these methods. */
export interface SettleTransaction {
  /** The database's clock. */
  readonly nowUs: Micros
  /** The event's row as it is now, under the lane's lock. */
  event(id: string): Promise<StoredEvent | null>
  /**
   * A further event that this one's reading (or a second look) turned out to hold, as a pending row; the row that was there
   * where its key is known. Its lane is made due after `afterMs`, or not at all where the caller settles it at once.
   */
  addEvent(event: NewEvent, settledHere: boolean): Promise<StoredEvent>
  /** What an unreadable row turned out to be, read again: it takes its place, still pending, and its lane is made due. */
  reread(event: NewEvent): Promise<void>
  /** One booking's row, unlocked: what an adapter compares a snapshot with. */
  booking(provider: string, account: string, id: string): Promise<StoredBooking | null>
  /**
   * Locks the bookings of these subjects and of everything that their facts link to (sorted by key, unknown ids as stubs),
   * and returns their settled facts and rows.
   */
  lockThread(
    provider: string,
    account: string,
    subjects: string[],
  ): Promise<{ facts: Fact[]; bookings: StoredBooking[]; waiting: Waiting[] }>
  /** Locks these slots, sorted, and says who holds them. */
  lockSlots(slots: Slot[]): Promise<HeldSlot[]>
  /** Active bookings of these meetings that are not among `except`. Read after the slots are locked. */
  neighbours(
    provider: string,
    account: string,
    meetingIds: string[],
    except: string[],
  ): Promise<StoredBooking[]>
  /** Everyone who waits for any of these slots, oldest fact first. */
  waitersFor(slots: Slot[]): Promise<(Waiting & { provider: string; account: string })[]>
  /** The subscribers of all processes. */
  subscribers(): Promise<RegisteredSubscriber[]>
  /** Makes the settle lanes of these events due with the commit: whoever is settled again sees what was written here. */
  wake(eventIds: string[]): Promise<void>
  write(settlement: Settlement): Promise<void>
}

export interface RegisteredSubscriber {
  name: string
  /** The types it takes; `*` for all, `provider.*` for all of a provider's own. */
  takes: string[]
}

/** How one run of a tell ended. */
export type TellResult = { is: 'done' } | { is: 'failed'; error: string } | { is: 'dead'; error: string }

/** A subscriber's run of failures, after one more result was counted. */
export interface Streak {
  consecutiveFailures: number
  /** How long the streak before this success was; 0 where this is no success after failures. */
  endedStreak: number
  /** Identifies the streak, so that an alert is raised once over all processes. */
  streak: number
  /** Whether this result raised an alert, or a recovery after one. */
  isRaised: boolean
}

/** When a streak of failures is an alert, and what is then known. */
export interface AlertRule {
  /** How many failures one after another: one alert as each is crossed, and a recovery after the streak that crossed the lowest. */
  thresholds: readonly number[]
  /** For the log line and the callback. Free of secrets and guests' data. */
  fields: Record<string, string>
}

export interface EventFilter {
  event?: string
  booking?: string
  provider?: string
  account?: string
  type?: string
  outcome?: Outcome
  status?: EventStatus
  subscriber?: string
  /** Included. */
  fromUs?: Micros
  /** Excluded. */
  toUs?: Micros
  by?: 'received' | 'occurred'
}

/** `pending`: not settled, or a subscriber still to be told. `waiting`: a conflict whose slot is held. */
export type EventStatus = 'pending' | 'waiting' | 'done' | 'dead'

export interface Page {
  limit: number
  /** As handed out by the page before; null for the first. */
  cursor: string | null
}

export interface Paged<Row> {
  rows: Row[]
  /** Null on the last page. */
  cursor: string | null
}

export interface TellRow {
  subscriber: string
  status: 'pending' | 'done' | 'dead'
  attempts: number
  lastError: string | null
}

/** A row of `events --json`. */
export interface EventRow {
  id: string
  type: EventType | null
  provider: string
  account: string
  providerType: string
  bookingId: string | null
  meetingId: string | null
  occurredAt: string | null
  receivedAt: string
  lastReceivedAt: string
  deliveries: number
  status: EventStatus
  outcome: Outcome | null
  reason: string | null
  attempts: number
  lastError: string | null
  replays: number
  tells: TellRow[]
}

export interface BookingFilter {
  booking?: string
  provider?: string
  account?: string
  thread?: string
  status?: string
}

/** A row of `bookings --json`. */
export interface BookingRow {
  id: string
  provider: string
  account: string
  status: string
  threadId: string
  meetingId: string | null
  startsAt: string | null
  endsAt: string | null
  resources: string[]
  attendee: { name: string | null; email: string | null } | null
  noShow: boolean
  updatedAt: string
}

/** The ledger: what a database must offer. Proven by `storeContract` of `@booking-webhooks/conformance`. */
export interface Store<Transaction = unknown>
  extends ReplayStore,
    ExplainStore,
    RetentionStore,
    RetirementStore,
    HealthStore {
  /** `sqlite`, `postgres`, `mysql`: for logs and metrics. */
  readonly name: string
  /** Brings the schema up to date (or refuses) and returns the installation's secret for hashing addresses. */
  open(): Promise<{ secret: string }>
  close(): Promise<void>
  /** Rejects unless the store answers. */
  ping(): Promise<void>

  /**
   * Stores events in one commit, each with its lane; repeats are counted. Resolves after the commit, in the order given.
   * A lane that was idle is due now. Rejects with STORE_UNAVAILABLE, STORE_BUSY or STORE_REFUSED (a row
   * that the database will not have) and then nothing of it is stored.
   */
  record(events: NewEvent[]): Promise<Recorded[]>

  /** Takes due lanes for `leaseMs`. A lane whose `after` is set is not due. */
  claim(request: ClaimRequest): Promise<ClaimedLane[]>
  /** Prolongs a lease; false where it was lost. */
  renew(lane: ClaimedLane, leaseMs: number): Promise<boolean>
  /** Lets go of a lane; false where it was lost. An idle tell lane releases those that wait `after` it. */
  release(lane: ClaimedLane, to: Release): Promise<boolean>
  /** Milliseconds until the next lane of the kind is due; null where none ever is. */
  nextDue(kind: LaneKind, subscribers: string[]): Promise<number | null>
  /** Heals what should not happen: idle lanes with work, waiting rows whose slots are free. Returns what it found. */
  sweep(): Promise<{ lanes: number; waiting: number }>
  /** Calls back when another process may have made work; returns how to stop. Polling remains. */
  onWork?(listener: () => void): () => void

  /** The lane's unsettled events (and those that wait), in order of arrival, bounded in rows and bytes. */
  pendingEvents(lane: ClaimedLane, limit: number): Promise<StoredEvent[]>
  /** Stores what was fetched before it is used; rejects with LEASE_LOST. */
  saveSnapshot(lane: ClaimedLane, eventId: string, snapshot: unknown): Promise<void>
  /** Counts a failed fetch; rejects with LEASE_LOST. */
  fetchFailed(lane: ClaimedLane, eventId: string, failure: { error: string; counts: boolean }): Promise<void>
  /** Runs `work` in one transaction under the lane's fence, again after a deadlock or a lost race for a slot. Rejects with LEASE_LOST. */
  settle<Result>(
    lane: ClaimedLane,
    work: (transaction: SettleTransaction) => Promise<Result>,
  ): Promise<Result>

  /** The lane's pending tells, in the order in which they were written, bounded. */
  pendingTells(lane: ClaimedLane, limit: number): Promise<StoredTell[]>
  /** Commits `attempts + 1` before the run and returns it; null where the tell is no longer pending. Rejects with LEASE_LOST. */
  beginAttempt(lane: ClaimedLane, tell: StoredTell): Promise<number | null>
  /**
   * Commits how the run ended, the subscriber's streak and, by the rule, what alert that calls for, all at once. Rejects with LEASE_LOST.
   */
  endAttempt(lane: ClaimedLane, tell: StoredTell, result: TellResult, rule?: AlertRule): Promise<Streak>
  /**
   * Runs a tell's callback in one transaction that also commits the tell as done; the lane's fence is looked at last, so that nobody waits
   * for the lane meanwhile. Rejects with what the callback threw, or with LEASE_LOST, and then nothing of it is committed.
   */
  tellWithin(
    lane: ClaimedLane,
    tell: StoredTell,
    work: (trx: Transaction) => Promise<void>,
    rule?: AlertRule,
  ): Promise<Streak>
  /** How long a transactional subscriber may take where it does not say, in milliseconds; absent: as long as any other. */
  readonly transactionalTimeoutMs?: number
  /** One booking's row as it is now, unlocked; null where there is none. */
  booking(provider: string, account: string, id: string): Promise<StoredBooking | null>
  /** The results of finished steps of `once`, by name. */
  steps(eventId: string, subscriber: string): Promise<Map<string, unknown>>
  /** Keeps a finished step's result; rejects with LEASE_LOST. */
  saveStep(lane: ClaimedLane, tell: StoredTell, name: string, result: unknown): Promise<void>

  /** Makes these subscribers known to all processes; settling writes tells for all known ones. */
  register(subscribers: RegisteredSubscriber[]): Promise<void>
  /** When the account was first started on this database; kept from the first call on. */
  connect(provider: string, account: string, sinceUs: Micros | null): Promise<Micros>
  /** Pauses the account's fetches; null ends a pause. */
  pauseAccount(provider: string, account: string, pauseMs: number | null): Promise<void>
  /** Milliseconds that the account's fetches still pause; 0 for none. */
  pausedFor(provider: string, account: string): Promise<number>
  /** Counts further failures of a subject that is no subscriber (an account's signatures, a provider's API); 0 for a success. */
  countResult(subject: string, failures: number, rule?: AlertRule): Promise<Streak>
  /** Those subjects, no subscribers, whose last result was a failure. */
  failing(): Promise<string[]>
  /** Alerts that no process has handed over yet, taken for `leaseMs`. */
  claimAlerts(leaseMs: number): Promise<StoredAlert[]>
  alertHandedOver(alert: StoredAlert): Promise<void>

  /** Newest first; without second looks. */
  events(filter: EventFilter, page: Page): Promise<Paged<EventRow>>
  /** Newest change first. */
  bookings(filter: BookingFilter, page: Page): Promise<Paged<BookingRow>>
}

export interface NewAlert {
  /** `subscriber:<name>`, `signature:<provider>/<account>`, … */
  subject: string
  streak: number
  /** How many consecutive failures crossed; 0 for a recovery. */
  threshold: number
  kind: 'alert' | 'recovered'
  /** What is known, for the log line and the callback. Free of secrets and guests' data. */
  fields: Record<string, string | number | null>
}

export interface StoredAlert extends NewAlert {
  id: number
  /** Nobody took it before. */
  isFirst: boolean
}
