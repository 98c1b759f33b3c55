import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'

// https://www.w3.org/TR/trace-context/#traceparent-header

/** A span's context as W3C `traceparent`; null where nothing is traced. */
export function traceparentOf(context: SpanContext): string | null {
  if (!isSpanContextValid(context)) return null
  return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`
}

/** The context that a `traceparent` stands for; null for anything else. */
export function parseTraceparent(text: string | null): SpanContext | null {
  const match = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '')
  if (!match) return null
  const [, traceId = '', spanId = '', flags = ''] = match
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(context) ? context : null
}
