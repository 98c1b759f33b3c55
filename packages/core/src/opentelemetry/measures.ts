import type { Meter, ObservableGauge } from '@opentelemetry/api'
import type { Health } from '../health/health.js'
import type { Observer } from '../observe/observer.js'

/** From a commit on a fast disk to what a provider no longer waits for, in seconds. */
const commitSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** From at once to the end of the default attempts, in seconds. */
const doneSeconds = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 60, 300, 1_800, 7_200, 28_800, 86_400]

/** Counters and histograms of what happens, and gauges of what is still to happen, read from the store when they are collected. */
export function measures(meter: Meter): Omit<Observer, 'during'> {
  const deliveries = meter.createCounter('booking_webhooks.deliveries', {
    description: 'Requests of providers, by what they were answered',
  })
  const events = meter.createCounter('booking_webhooks.events', {
    description: 'Events decided, by outcome; dead: the fetch was given up',
  })
  const attempts = meter.createCounter('booking_webhooks.attempts', {
    description: 'Runs of callbacks, by how they ended',
  })
  const toCommit = meter.createHistogram('booking_webhooks.commit.duration', {
    description: 'From the arrival of a request to the commit of its events',
    unit: 's',
    advice: { explicitBucketBoundaries: commitSeconds },
  })
  const toDone = meter.createHistogram('booking_webhooks.done.duration', {
    description: 'From the arrival of an event until a subscriber was told of it',
    unit: 's',
    advice: { explicitBucketBoundaries: doneSeconds },
  })
  return {
    answered: ({ provider, account, status, code }) =>
      deliveries.add(1, {
        provider,
        account: code === 'UNKNOWN_ACCOUNT' ? '' : account,
        status,
        code: code ?? '',
      }),
    committed: ({ provider, afterMs }) => toCommit.record(afterMs / 1_000, { provider }),
    settled: ({ provider, account, outcome }) => events.add(1, { provider, account, outcome }),
    attempted({ subscriber, result, isReplay, afterMs }) {
      attempts.add(1, { subscriber, result, replay: isReplay })
      if (afterMs !== null) toDone.record(afterMs / 1_000, { subscriber })
    },
    watch: health => watchHealth(meter, health),
  }
}

/** What each gauge shows of the store's health; null shows nothing. */
const gauges: Record<string, { description: string; unit?: string; of(health: Health): number | null }> = {
  'backlog.events': { description: 'Events to be decided', of: ({ backlog }) => backlog.events.pending },
  'backlog.tells': { description: 'Callbacks to be run', of: ({ backlog }) => backlog.tells.pending },
  'backlog.events.age': {
    description: 'How long the oldest of them has waited',
    unit: 's',
    of: ({ backlog }) => seconds(backlog.events.oldestMs),
  },
  'backlog.tells.age': {
    description: 'How long the oldest first telling has waited',
    unit: 's',
    of: ({ backlog }) => seconds(backlog.tells.oldestMs),
  },
  'dead.events': { description: 'Events whose fetch was given up', of: ({ dead }) => dead.events },
  'dead.tells': { description: 'Callbacks whose attempts are used up', of: ({ dead }) => dead.tells },
  waiting: { description: 'Conflicts whose slots are held', of: ({ waiting }) => waiting },
}

function watchHealth(meter: Meter, health: () => Promise<Health>): () => void {
  const made: [ObservableGauge, (health: Health) => number | null][] = Object.entries(gauges).map(
    ([name, { description, unit, of }]) => [
      meter.createObservableGauge(`booking_webhooks.${name}`, { description, ...(unit && { unit }) }),
      of,
    ],
  )
  const instruments = made.map(([gauge]) => gauge)
  const collect: Parameters<Meter['addBatchObservableCallback']>[0] = async result => {
    const now = await health()
    for (const [gauge, of] of made) {
      const value = of(now)
      if (value !== null) result.observe(gauge, value)
    }
  }
  meter.addBatchObservableCallback(collect, instruments)
  return () => meter.removeBatchObservableCallback(collect, instruments)
}

/** Nothing that waits has waited no time. */
function seconds(ms: number | null): number {
  return (ms ?? 0) / 1_000
}
