import type { SignatureErrorCode } from '../event/errors.js'
import type { EventType } from '../event/event.js'
import type { Health } from '../health/health.js'
import type { Outcome } from '../lifecycle/decision.js'

/** One piece of work: a request, the deciding of one event, a question to a provider's API, one run of a callback. */
export type Stage =
  | { stage: 'receive'; provider: string; account: string }
  | ({ stage: 'settle' | 'fetch' } & OfEvent)
  | ({ stage: 'tell'; subscriber: string; type: EventType; attempt: number; isReplay: boolean } & OfEvent)

interface OfEvent {
  event: string
  provider: string
  account: string
  /** The trace context of the delivery that brought the event, as W3C `traceparent`; null where none was kept. */
  deliveredIn: string | null
}

/**
 * Is told what an inbox does, for metrics and traces. Every method may be left out, and must be quick. What it throws is logged, once, and
 * changes nothing.
 * `@booking-webhooks/core/opentelemetry` makes one.
 */
export interface Observer {
  /** Runs a stage. `work` is given the stage's own trace context as W3C `traceparent`, which is kept with what it brings; null for none. */
  during?<Result>(stage: Stage, work: (traceparent: string | null) => Promise<Result>): Promise<Result>
  /** A provider was answered. */
  answered?(answer: Answered): void
  /** A request's events are committed, so many milliseconds after it arrived. */
  committed?(commit: { provider: string; account: string; afterMs: number }): void
  /** An event is settled, or its fetch is given up (`dead`). */
  settled?(settled: { provider: string; account: string; outcome: Outcome | 'dead' }): void
  /** A run of a callback ended. `afterMs`: since the event arrived, where this run was its first telling and went well; else null. */
  attempted?(run: {
    subscriber: string
    result: 'done' | 'failed' | 'dead'
    isReplay: boolean
    afterMs: number | null
  }): void
  /** The inbox works from now on; `health` may be asked at any time until what is returned is called. */
  watch?(health: () => Promise<Health>): () => void
}

/** What a provider was answered. `account` is empty where nobody looked whether there is such a one; `code` says why it was no 200. */
export interface Answered {
  provider: string
  account: string
  status: number
  code: AnswerCode | null
}

/** Why a provider was answered something else than 200: a code of the table of errors. */
export type AnswerCode = SignatureErrorCode | (string & {})
