import type { Micros } from '../event/instant.js'
import type { ExplainStore } from '../explain/explanation.js'
import type { HealthStore } from '../health/health.js'
import type { StoredBooking } from '../lifecycle/decision.js'
import type { ListingStore } from '../listing/listing-store.js'
import type { ReplayStore } from '../replay/replay-store.js'
import type { RetentionStore } from '../retention/retention-store.js'
import type { SettleTransaction } from '../settle/settle-transaction.js'
import type { AlertRule } from '../tell/alert-rule.js'
import type { RetirementStore } from '../tell/retire.js'
import type { StoredAlert } from '../tell/stored-alert.js'
import type { StoredTell, TellResult } from '../tell/stored-tell.js'
import type { Streak } from '../tell/streak.js'
import type { ClaimedLane, ClaimRequest, LaneKind, Release } from './lane.js'
import type { RegisteredSubscriber } from './registered-subscriber.js'
import type { NewEvent, Recorded, StoredEvent } from './stored-event.js'

/** The ledger: what a database must offer. Proven by `storeContract` of `@booking-webhooks/conformance`. */
export interface Store<Transaction = unknown>
  extends ReplayStore,
    ExplainStore,
    RetentionStore,
    RetirementStore,
    HealthStore,
    ListingStore {
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

  /*
   * A lane's holder may ask for the end of one tell and for what comes next of the lane, the begin of another or its release, without waiting in
   * between: they are done in that order, in one commit where that is cheaper, and where the first rejects the second changes nothing.
   */

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
  /** Alerts that no process has handed over yet, taken for `leaseMs`: those that nobody took before, and those whose lease ran out `restMs` ago. */
  claimAlerts(leaseMs: number, restMs?: number): Promise<StoredAlert[]>
  alertHandedOver(alert: StoredAlert): Promise<void>
}
