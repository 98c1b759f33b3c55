export { type AccountKeys, type AccountKeysOptions, accountKeys, type Keys } from './account-keys.js'
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
} from './adapter.js'
export { type BackoffOptions, backoff, defaultBackoff } from './backoff.js'
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
} from './booking.js'
export { decide } from './decide.js'
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
} from './decision.js'
export {
  BookingWebhooksError,
  type ErrorCode,
  invalidOption,
  isBookingWebhooksError,
  type SignatureErrorCode,
  signatureError,
} from './errors.js'
export type {
  BookingEvent,
  BookingEventType,
  Cancellation,
  Conflict,
  EventOf,
  EventType,
  Previous,
  ProviderEventType,
} from './event.js'
export {
  compareFacts,
  type Fact,
  type FactDetails,
  type FactKind,
  type PersonTarget,
  type Target,
} from './fact.js'
export { FetchError, type FetchFailure } from './fetch-error.js'
export { fold } from './fold.js'
export { addressHash, hashParts, identify, laneKey } from './identity.js'
export { createInbox, type Inbox } from './inbox.js'
export type { Alert, EventsOf, InboxOptions } from './inbox-options.js'
export { formatInstant, formatInstantOrNull, type Instant, type Micros, parseInstant } from './instant.js'
export { parseJsonBody, storableText } from './json-body.js'
export {
  booleanOrNull,
  idOrNull,
  numberOrNull,
  objectOrNull,
  objectsIn,
  textOrNull,
} from './lenient.js'
export { jsonLog, type Log, type LogFields, standardErrorLog } from './log.js'
export { promote } from './promote.js'
export type { SampleDelivery, SampleOptions, Story, StoryOptions } from './sample-delivery.js'
export { decodeBase64Sha256, decodeHexSha256, fittingKey, hmacSha256 } from './signature.js'
export { slotsConcerned } from './slots-concerned.js'
export type {
  BookingFilter,
  BookingRow,
  ClaimedLane,
  ClaimRequest,
  EventFilter,
  EventRow,
  EventStatus,
  LaneKind,
  NewAlert,
  NewChild,
  NewEvent,
  NewTell,
  Page,
  Paged,
  Recorded,
  RegisteredSubscriber,
  Release,
  Settlement,
  SettleTransaction,
  Store,
  StoredAlert,
  StoredEvent,
  StoredTell,
  Streak,
  TellResult,
  TellRow,
} from './store.js'
export { subjectsOf } from './subject.js'
export type { Handler, Handlers, Subscriber, SubscriberOptions, TellContext } from './subscriber.js'
export { doNotRetry, retryAfter, TellError, type TellFailure, tellFailure } from './tell-error.js'
