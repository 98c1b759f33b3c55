export { type AccountKeys, type AccountKeysOptions, accountKeys, type Keys } from './adapter/account-keys.js'
export type {
  Adapter,
  FetchContext,
  InterpretContext,
  Interpreted,
  InterpretedFact,
  InterpretedNotice,
  ReadContext,
  Reading,
  Reply,
  SecondLook,
  Snapshot,
  StoredReading,
  Unchanged,
  Unreadable,
  Verified,
  WebhookRequest,
} from './adapter/adapter.js'
export { FetchError, type FetchFailure } from './adapter/fetch-error.js'
export { parseJsonBody, storableText } from './adapter/json-body.js'
export {
  booleanOrNull,
  idOrNull,
  numberOrNull,
  objectOrNull,
  objectsIn,
  textOrNull,
} from './adapter/lenient.js'
export { retryAfterMs } from './adapter/retry-after.js'
export type { SampleDelivery, SampleOptions, Story, StoryOptions } from './adapter/sample-delivery.js'
export { decodeBase64Sha256, decodeHexSha256, fittingKey, hmacSha256 } from './adapter/signature.js'
export type {
  Answer,
  Attendee,
  Booking,
  BookingDetails,
  BookingStatus,
  Guest,
  Host,
  Links,
  Location,
  Payment,
  Seats,
} from './event/booking.js'
export {
  BookingWebhooksError,
  type ErrorCode,
  invalidOption,
  isBookingWebhooksError,
  type SignatureErrorCode,
  signatureError,
} from './event/errors.js'
export type {
  BookingEvent,
  BookingEventType,
  Cancellation,
  Conflict,
  EventOf,
  EventType,
  Previous,
  ProviderEventType,
} from './event/event.js'
export { addressHash, hashParts, identify, laneKey } from './event/identity.js'
export {
  formatInstant,
  formatInstantOrNull,
  type Instant,
  type Micros,
  parseInstant,
} from './event/instant.js'
export { jsonLog, type Log, type LogFields, standardErrorLog } from './event/log.js'
export { noDetails } from './event/no-details.js'
export type {
  ExplainedBooking,
  ExplainedEvent,
  ExplainedTell,
  ExplainStore,
  Explanation,
  SlotName,
  SlotStep,
} from './explain/explanation.js'
export { inWords } from './explain/in-words.js'
export type { Backlog, Health, HealthStore } from './health/health.js'
export { atMost } from './inbox/at-most.js'
export { createInbox } from './inbox/create-inbox.js'
export type { Inbox } from './inbox/inbox.js'
export type { Alert, EventsOf, InboxOptions } from './inbox/inbox-options.js'
export type { ClaimedLane, ClaimRequest, LaneKind, Release } from './inbox/lane.js'
export type { NewTell } from './inbox/new-tell.js'
export type { RegisteredSubscriber } from './inbox/registered-subscriber.js'
export type { Store } from './inbox/store.js'
export type { NewEvent, Recorded, StoredEvent } from './inbox/stored-event.js'
export { unlessSilent } from './inbox/unless-silent.js'
export { decide } from './lifecycle/decide.js'
export type {
  Announcement,
  Decision,
  FoldedBooking,
  HeldSlot,
  Holder,
  Known,
  Outcome,
  Slot,
  StoredBooking,
  Told,
  Waiting,
} from './lifecycle/decision.js'
export { outcomes } from './lifecycle/decision.js'
export {
  compareFacts,
  type Fact,
  type FactDetails,
  type FactKind,
  type PersonTarget,
  type Target,
} from './lifecycle/fact.js'
export { fold } from './lifecycle/fold.js'
export { firstInLine, promote } from './lifecycle/promote.js'
export { renderBooking } from './lifecycle/render-booking.js'
export { slotsConcerned } from './lifecycle/slots-concerned.js'
export { subjectsOf } from './lifecycle/subject.js'
export type {
  BookingFilter,
  BookingRow,
  EventFilter,
  EventRow,
  EventStatus,
  Page,
  Paged,
  TellRow,
} from './listing/listing-store.js'
export { eventStatuses } from './listing/listing-store.js'
export type { AnswerCode, Answered, Observer, Stage } from './observe/observer.js'
export {
  type AskedReplay,
  askForReplay,
  type ReplayOptions,
} from './replay/ask-for-replay.js'
export { isOvertaken } from './replay/overtaken.js'
export type {
  ReplayCandidate,
  ReplayCounts,
  ReplayCursor,
  ReplayPage,
  ReplayRequest,
  ReplayRow,
  ReplayScope,
  ReplayStore,
  StoredReplay,
} from './replay/replay-store.js'
export { type ErasureOptions, erase } from './retention/erase.js'
export type { Erasure, ErasureSubject, RetentionStore } from './retention/retention-store.js'
export type { NewChild, Settlement, SettleTransaction } from './settle/settle-transaction.js'
export type { AlertRule } from './tell/alert-rule.js'
export { type BackoffOptions, backoff, defaultBackoff } from './tell/backoff.js'
export { type Retired, type Retirement, type RetirementStore, retire } from './tell/retire.js'
export type { NewAlert, StoredAlert } from './tell/stored-alert.js'
export type { StoredTell, TellResult } from './tell/stored-tell.js'
export type { Streak } from './tell/streak.js'
export type {
  CallbackSubscriber,
  Handler,
  Handlers,
  Subscriber,
  SubscriberOptions,
  TellContext,
  TransactionalContext,
  TransactionalSubscriber,
} from './tell/subscriber.js'
export { doNotRetry, retryAfter, TellError, type TellFailure, tellFailure } from './tell/tell-error.js'
