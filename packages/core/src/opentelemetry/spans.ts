import {
  type Attributes,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api'
import { describeError } from '../event/describe-error.js'
import type { Observer, Stage } from '../observe/observer.js'
import { parseTraceparent, traceparentOf } from './traceparent.js'

/** A span for each stage. Errors are recorded as the log has them: without what was being handled. */
export function spans(tracer: Tracer): Required<Pick<Observer, 'during'>> {
  return {
    during: (stage, work) =>
      tracer.startActiveSpan(
        `booking-webhooks ${stage.stage}`,
        { kind: kindOf(stage), attributes: attributesOf(stage), links: linksOf(stage) },
        span => ended(span, () => work(traceparentOf(span.spanContext()))),
      ),
  }
}

async function ended<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: describeError(error) })
    throw error
  } finally {
    span.end()
  }
}

/** What waited in the ledger is consumed from it. */
function kindOf({ stage }: Stage): SpanKind {
  return stage === 'receive' ? SpanKind.SERVER : stage === 'fetch' ? SpanKind.CLIENT : SpanKind.CONSUMER
}

function attributesOf({ stage: _, ...about }: Stage): Attributes {
  const { deliveredIn: __, ...rest } = 'event' in about ? about : { ...about, deliveredIn: null }
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [`booking_webhooks.${snake(key)}`, value]),
  )
}

/** A link, no parent: many events may come of one delivery, and a run may come a day later. */
function linksOf(stage: Stage): Link[] {
  const context = 'deliveredIn' in stage ? parseTraceparent(stage.deliveredIn) : null
  return context ? [{ context }] : []
}

function snake(key: string): string {
  return key.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
