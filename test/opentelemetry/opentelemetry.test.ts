import { calendlyDelivery, calendlyStories } from '@booking-webhooks/calendly/testing'
import { bookingWebhooks } from '@booking-webhooks/core/fetch'
import { openTelemetry } from '@booking-webhooks/core/opentelemetry'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { expect } from 'chai'
import { diary, written } from '../replay/diary.js'
import { signingKey, type Workbench, type WorkbenchOptions, workbench } from '../support/workbench.js'

describe('OpenTelemetry', () => {
  let bench: Workbench
  let nowMs: number
  const spans = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  let reader: PeriodicExportingMetricReader
  let meterProvider: MeterProvider
  before(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  })
  after(() => context.disable())
  beforeEach(() => {
    spans.reset()
    nowMs = Date.now()
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
    meterProvider = new MeterProvider({ readers: [reader] })
  })
  afterEach(async () => {
    await bench.close()
    await meterProvider.shutdown()
  })

  function begin(options: WorkbenchOptions = {}): void {
    bench = workbench({
      observe: openTelemetry({ tracerProvider, meterProvider }),
      now: () => new Date(nowMs),
      ...options,
    })
  }

  const spansOf = (stage: string) =>
    spans.getFinishedSpans().filter(span => span.name === `booking-webhooks ${stage}`)

  /** `{attributes} value` for each point of a metric; histograms show their count and sum. */
  async function points(name: string): Promise<string[]> {
    const { resourceMetrics } = await reader.collect()
    return resourceMetrics.scopeMetrics
      .flatMap(scope => scope.metrics)
      .filter(({ descriptor }) => descriptor.name === `booking_webhooks.${name}`)
      .flatMap(({ dataPoints }) =>
        dataPoints.map(({ attributes, value }) => {
          const shown = typeof value === 'object' ? `${value.count} ${value.sum}` : value
          return `${Object.values(attributes).join(' ')} ${shown}`.trim()
        }),
      )
      .sort()
  }

  it('has a span for each stage, those of later ones linked to the delivery', async () => {
    begin({
      subscribers: {
        memory: {
          takes: ['*'],
          tell: () => trace.getTracer('mine').startActiveSpan('calendar.insert', span => span.end()),
        },
      },
    })
    await bench.calendly({ event: 'invitee.created' })
    const [received] = spansOf('receive')
    const [settled] = spansOf('settle')
    const [told] = spansOf('tell')
    expect(received!.kind).to.equal(SpanKind.SERVER)
    expect(received!.attributes).to.deep.equal({
      'booking_webhooks.provider': 'calendly',
      'booking_webhooks.account': 'default',
    })
    for (const later of [settled!, told!]) {
      expect(later.kind).to.equal(SpanKind.CONSUMER)
      expect(later.links.map(link => link.context.spanId)).to.deep.equal([received!.spanContext().spanId])
      expect(later.links[0]!.context.traceId).to.equal(received!.spanContext().traceId)
      expect(later.spanContext().traceId).not.to.equal(received!.spanContext().traceId)
    }
    expect(told!.attributes).to.include({
      'booking_webhooks.subscriber': 'memory',
      'booking_webhooks.type': 'booking.created',
      'booking_webhooks.attempt': 1,
      'booking_webhooks.is_replay': false,
    })
    expect(told!.attributes['booking_webhooks.event']).to.equal(settled!.attributes['booking_webhooks.event'])
  })

  it('links also what settling brought forth, in another process and on a replay', async () => {
    begin()
    const [ann, bob] = calendlyStories['double-booking']({ key: signingKey })
    await bench.deliver(ann!)
    await bench.deliver(bob!)
    const deliveries = spansOf('receive').map(span => span.spanContext().spanId)
    const other = workbench({
      database: bench.database,
      observe: openTelemetry({ tracerProvider, meterProvider }),
    })
    await other.inbox.drain()
    await other.inbox.replay({})
    await other.inbox.drain()
    await other.close()
    const told = spansOf('tell').map(span => [
      span.attributes['booking_webhooks.type'],
      span.attributes['booking_webhooks.is_replay'],
      deliveries.indexOf(span.links[0]!.context.spanId),
    ])
    expect(told.sort()).to.deep.equal([
      ['booking.conflict', false, 1],
      ['booking.conflict', true, 1],
      ['booking.created', false, 0],
      ['booking.created', true, 0],
    ])
  })

  it('has a span for each question to an API, within its settling, and says that it failed without quoting it', async () => {
    const notes = diary()
    notes.fetch = () => {
      throw new Error('Ann Example is not here')
    }
    begin({ providers: [notes.adapter] })
    await bench.deliver(written({ key: 'a', booking: 'A' }))
    await bench.inbox.drain()
    const [asked] = spansOf('fetch')
    const [settled] = spansOf('settle')
    expect(parentOf(asked!)).to.equal(settled!.spanContext().spanId)
    expect(asked!.status.message).to.equal('The diary does not answer.')
    expect(await points('events')).to.deep.equal(['diary default dead 1'])
    expect(await points('dead.events')).to.deep.equal(['1'])
  })

  it('counts deliveries by answer, events by outcome and runs by their end, and measures how long it takes', async () => {
    begin({
      attempts: 2,
      backoff: { baseMs: 1, capMs: 2 },
      subscribers: {
        memory: {
          takes: ['*'],
          tell({ type }, { attempt }) {
            if (attempt === 1 ? type !== 'booking.updated' : type === 'booking.no_show')
              throw new Error('down')
          },
        },
      },
    })
    const create = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
    await bench.deliver(create)
    await bench.deliver(create)
    await bench.deliver(calendlyDelivery({ key: 'another-key-of-someone', event: 'invitee.created' }))
    await bench.deliver({ ...create, path: '/calendly/whoever' })
    expect(await points('backlog.events')).to.deep.equal(['1'])
    nowMs += 7_000
    await bench.inbox.drain()
    await bench.calendly({ event: 'invitee_no_show.created', noShow: 'NS1' })
    for (let round = 0; round < 5; round += 1) {
      await new Promise(resolve => setTimeout(resolve, 5))
      await bench.inbox.drain()
    }
    await bench.inbox.replay({ type: 'booking.created' })
    for (let round = 0; round < 5; round += 1) {
      await bench.inbox.drain()
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    expect(await points('deliveries')).to.deep.equal([
      'calendly  401 UNKNOWN_ACCOUNT 1',
      'calendly default 200  3',
      'calendly default 401 SIGNATURE_MISMATCH 1',
    ])
    expect(await points('events')).to.deep.equal(['calendly default accepted 2'])
    expect(await points('attempts')).to.deep.equal([
      'memory dead false 1',
      'memory done false 1',
      'memory done true 1',
      'memory failed false 2',
      'memory failed true 1',
    ])
    expect(await points('commit.duration')).to.deep.equal(['calendly 3 0'])
    expect(await points('done.duration')).to.deep.equal(['memory 1 7'])
    expect(await points('dead.tells')).to.deep.equal(['1'])
    expect(await points('backlog.tells')).to.deep.equal(['0'])
    expect(await points('backlog.tells.age')).to.deep.equal(['0'])
    expect(await points('waiting')).to.deep.equal(['0'])
  })

  it('counts also what was answered before anybody looked at a signature, under no account', async () => {
    begin()
    const door = bookingWebhooks(bench.inbox)
    const post = async (body: string) => {
      const url = 'http://localhost/calendly/whatever-path-somebody-tries'
      return (await door(new Request(url, { method: 'POST', body }))).status
    }
    expect(await post('x'.repeat(2 ** 20 + 1))).to.equal(413)
    await bench.inbox.close()
    expect(await post('{}')).to.equal(503)
    expect(await points('deliveries')).to.deep.equal([
      'calendly  413 BODY_TOO_LARGE 1',
      'calendly  503 INBOX_CLOSED 1',
    ])
  })

  it('asks a closed inbox nothing', async () => {
    begin()
    await bench.calendly({ event: 'invitee.created' })
    expect((await reader.collect()).errors).to.deep.equal([])
    expect(await points('backlog.tells')).to.deep.equal(['0'])
    await bench.inbox.close()
    expect((await reader.collect()).errors).to.deep.equal([])
  })
})

function parentOf(span: ReadableSpan): string | undefined {
  return span.parentSpanContext?.spanId
}
