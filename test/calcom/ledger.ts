import {
  type CalcomDeliveryOptions,
  calcomDelivery,
  type SampleBooking,
} from '@booking-webhooks/calcom/testing'
import type { BookingStatus, Fact, Outcome } from '@booking-webhooks/core'
import { runInOrder } from '../core/lifecycle/execute.js'
import { adapter, hash, receivedAt, request } from './at.js'
import { exampleSecret } from './examples.js'

/** The facts of a body, as settling keeps them. */
export function factsOf(body: string | Uint8Array): Fact[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const read = adapter.read(request(bytes), { hash })
  if ('reply' in read) return []
  return read.readings.flatMap(({ providerType, dedupeKey }, index) => {
    const key = dedupeKey ?? ''
    const receivedUs = receivedAt.getTime() * 1000
    const reading = { provider: 'calcom', account: 'default', isLook: false, headers: {}, body: bytes }
    const [one] = adapter.interpret(
      { ...reading, providerType, dedupeKey: key, index, receivedUs },
      null,
      null,
      {
        hash,
        connectedUs: 0,
      },
    )
    return one && 'fact' in one ? [{ ...one.fact, key, occurredUs: one.fact.occurredUs ?? receivedUs }] : []
  })
}

export interface Settled {
  /** One for each event of each body, in the order given; `duplicate` where its key is known. */
  outcomes: (Outcome | 'duplicate')[]
  /** `type id`, in the order told. */
  told: string[]
  /** As subscribers are shown them. */
  statuses: Record<string, BookingStatus | null>
  slots: string[]
  run: ReturnType<typeof runInOrder>
}

/** Settles bodies one after another, without a database. */
export function settle(...bodies: (string | Uint8Array)[]): Settled {
  const facts = bodies.flatMap(factsOf)
  const run = runInOrder(facts)
  const seen = new Set<string>()
  const rows = [...run.engine.bookings.values()].filter(({ status }) => status !== null)
  return {
    outcomes: facts.map(({ key }) => {
      if (seen.has(key)) return 'duplicate'
      seen.add(key)
      return run.engine.decisions.get(key)!.outcome
    }),
    told: run.heard.map(({ announcement: { type, booking } }) => `${type} ${booking.id}`),
    statuses: Object.fromEntries(rows.map(({ id, status, waits }) => [id, waits ? 'conflict' : status])),
    slots: [...run.engine.slots].map(([slot, { meetingId }]) => `${slot} ${meetingId}`).sort(),
    run,
  }
}

const start = Date.parse('2026-01-15T09:00:00Z')

/** A body of Cal.com's, sent so many minutes after the start of the story. */
export function body(
  trigger: string,
  minute: number,
  booking: SampleBooking,
  more: Partial<CalcomDeliveryOptions> = {},
): Uint8Array {
  const sentAt = new Date(start + minute * 60_000)
  return calcomDelivery({ key: exampleSecret, trigger, booking, sentAt, ...more }).body
}

/** A day in February, at an hour. */
export function at(day: number, hour: number): Date {
  return new Date(Date.UTC(2026, 1, day, hour))
}
