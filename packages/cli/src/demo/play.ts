import { setTimeout as delay } from 'node:timers/promises'
import type { BookingEvent, EventRow, Inbox, SampleDelivery } from '@booking-webhooks/core'
import { deliver } from '../send/deliver.js'
import type { Step } from './story.js'

/** A step, and what became of it. */
export interface Played {
  words: string
  status: number | null
  /** Null for a request that was let in nowhere. */
  outcome: string | null
  told: string[]
}

export interface Stage {
  inbox: Pick<Inbox, 'drain' | 'events'>
  urlOf(delivery: SampleDelivery): string
  /** What the subscriber was told so far; emptied after each step. */
  told: BookingEvent[]
}

/** Plays the steps one after another over HTTP, each until it is settled and told. */
export async function play(steps: readonly Step[], { inbox, urlOf, told }: Stage): Promise<Played[]> {
  const played: Played[] = []
  let before = await ledger(inbox)
  for (const step of steps) {
    const { status } = await deliver(urlOf(step.delivery), step.delivery)
    const after = await ledger(inbox)
    played.push({
      words: step.words,
      status,
      outcome: outcomeOf(before, after),
      told: told.splice(0).map(inWords),
    })
    before = after
  }
  return played
}

/** The ledger once nothing in it is pending, and all that came of it is told. */
async function ledger(inbox: Pick<Inbox, 'drain' | 'events'>): Promise<EventRow[]> {
  for (;;) {
    await inbox.drain()
    const { rows } = await inbox.events({}, { limit: 100 })
    if (rows.every(({ status }) => status !== 'pending')) return rows
    await delay(20)
  }
}

function outcomeOf(before: readonly EventRow[], after: readonly EventRow[]): string | null {
  const known = new Map(before.map(row => [row.id, row]))
  // A conflict is a row of its own beside the one that came.
  const row = after.find(
    ({ id, deliveries, type }) =>
      type !== 'booking.conflict' && deliveries !== (known.get(id)?.deliveries ?? 0),
  )
  if (!row) return null
  return known.has(row.id) ? `${row.outcome}, came ${row.deliveries}×` : row.outcome
}

function inWords({ type, booking, previous }: BookingEvent): string {
  const who = booking?.attendee?.name?.replace(/ Example$/, '') ?? booking?.id ?? ''
  const moved =
    type === 'booking.rescheduled' ? `, ${clock(previous.startsAt)} → ${clock(booking.startsAt)}` : ''
  return `${type} (${who}${moved})`
}

function clock(instant: string | null): string {
  return instant?.slice(11, 16) ?? '?'
}
