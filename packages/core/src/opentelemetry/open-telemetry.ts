import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import type { Observer } from '../observe/observer.js'
import { measures } from './measures.js'
import { spans } from './spans.js'

export interface OpenTelemetryOptions {
  /** Default: the one that was registered globally. */
  tracerProvider?: TracerProvider
  /** Default: the one that was registered globally. */
  meterProvider?: MeterProvider
}

const name = 'booking-webhooks'

/**
 * Metrics and traces through OpenTelemetry: `createInbox({ …, observe: openTelemetry() })`. A span for each stage (receive, settle, fetch,
 * tell); what happens later, perhaps in another process, links to the delivery's span. docs/operating.md names the metrics.
 */
export function openTelemetry({ tracerProvider, meterProvider }: OpenTelemetryOptions = {}): Observer {
  return {
    ...spans((tracerProvider ?? trace).getTracer(name)),
    ...measures((meterProvider ?? metrics).getMeter(name)),
  }
}
