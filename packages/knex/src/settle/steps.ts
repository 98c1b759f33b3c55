import type { Settlement, StoredBooking, StoredEvent } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import type { Row } from '../dialects/dialect.js'
import type { Wakened } from '../lane/wake-lanes.js'
import { bookingColumns, storedBooking } from '../rows/booking-row.js'
import { bookingsById } from '../rows/bookings-by-id.js'
import { storedEvents } from '../rows/stored-events.js'
import { registeredSubscribers } from '../tell/subscribers.js'
import { addEvent } from './add-event.js'
import type { Asked, Member, StepName, Steps } from './in-step.js'
import { lockSlots, slotName } from './lock-slots.js'
import { lockThreads } from './lock-threads.js'
import { byOwner } from './owner.js'
import { rereadEvent } from './reread-event.js'
import type { Site } from './site.js'
import { waitersFor } from './waiting.js'
import { writeSettlements } from './write-settlements.js'

/** What is done to lanes once all is settled: they are locked last. */
export interface Aftermath {
  wakened: Wakened[]
  joins: Settlement['laneJoins']
}

/** The steps of one transaction in which events are settled. Who shares a subject, a slot or a meeting with an earlier member is put off. */
export function settleSteps(database: Database, trx: Knex.Transaction, after: Aftermath): Steps {
  // Whoever writes an event of these lanes meanwhile has taken the lane over, and then nothing of this is committed.
  const known = new Map<string, StoredEvent>()
  const read = async (ids: string[]): Promise<void> => {
    for (const event of await storedEvents(trx, database, [...new Set(ids)])) known.set(event.id, event)
  }
  const wake = (lane: Wakened) => void after.wakened.push(lane)
  const takes = taker()

  return {
    async event(asked) {
      await read(asked.map(({ args: [id] }) => id))
      for (const { args, answer } of asked) answer(known.get(args[0]) ?? null)
    },

    async booking(asked) {
      for (const { owner, of } of byOwner(asked, ({ args: [provider, account] }) => ({
        provider,
        account,
      }))) {
        const bookings = await bookingsById(trx, database, owner, ids(of))
        for (const { args, answer } of of) answer(bookings.find(({ id }) => id === args[2]) ?? null)
      }
      function ids(of: Asked<'booking'>[]): string[] {
        return [...new Set(of.map(({ args: [, , id] }) => id))]
      }
    },

    async reread(asked) {
      for (const { args, answer } of asked) answer(await rereadEvent(database, trx, ...args, wake))
    },

    async addEvent(asked) {
      for (const { args, answer } of asked) {
        const [event, settledHere] = args
        const stored = await addEvent(database, trx, event, settledHere ? null : wake)
        known.set(stored.id, stored)
        answer(stored)
      }
    },

    async lockThread(asked) {
      const threads = await lockThreads(
        database,
        trx,
        asked.map(({ args: [provider, account, seeds] }) => ({ owner: { provider, account }, seeds })),
        (index, subjects) => takes(asked[index] as Asked<'lockThread'>, subjects),
      )
      for (const [index, { answer }] of asked.entries()) {
        const thread = threads[index]
        if (thread) answer(thread)
      }
    },

    async lockSlots(asked) {
      const here = asked.filter(one => takes(one, one.args[0].map(slotName)))
      const held = await lockSlots(
        database,
        trx,
        here.flatMap(({ args: [slots] }) => slots),
      )
      for (const { args, answer } of here) {
        const wanted = new Set(args[0].map(slotName))
        answer(held.filter(slot => wanted.has(slotName(slot))))
      }
    },

    async neighbours(asked) {
      const here = asked.filter(one => {
        const [provider, account, meetings] = one.args
        return takes(
          one,
          meetings.map(meeting => JSON.stringify(['meeting', provider, account, meeting])),
        )
      })
      for (const { owner, of } of byOwner(here, ({ args: [provider, account] }) => ({ provider, account }))) {
        const active = await activeIn(owner, [...new Set(of.flatMap(({ args: [, , meetings] }) => meetings))])
        for (const { args, answer } of of) {
          const [, , meetings, except] = args
          answer(active.filter(one => isOneOf(meetings, one.meetingId) && !except.includes(one.id)))
        }
      }
    },

    async waitersFor(asked) {
      const waiters = await waitersFor(
        database,
        trx,
        asked.flatMap(({ args: [slots] }) => slots),
      )
      for (const { args, answer } of asked) {
        const wanted = new Set(args[0].map(slotName))
        answer(waiters.filter(({ slots }) => slots.some(slot => wanted.has(slotName(slot)))))
      }
    },

    async subscribers(asked) {
      const subscribers = await registeredSubscribers(database, trx)
      for (const { answer } of asked) answer(subscribers)
    },

    async wake(asked) {
      const events = asked.flatMap(({ args: [ids] }) => ids)
      const rows = await trx(database.tables.events).distinct('lane').whereIn('id', events)
      for (const row of rows) wake({ lane: row.lane, kind: 'settle', subscriber: '', afterMs: 0 })
      for (const { answer } of asked) answer()
    },

    async write(asked) {
      const missing = asked.map(({ args: [{ event }] }) => event.id).filter(id => !known.has(id))
      if (missing.length > 0) await read(missing)
      const sites = asked.map(({ by, args: [settlement] }): Site => {
        const event = known.get(settlement.event.id)
        if (!event) throw new Error(`There is no event ${settlement.event.id} to settle.`)
        known.delete(event.id)
        return { event, lane: by.lane.key, settlement }
      })
      after.wakened.push(...(await writeSettlements(database, trx, sites)))
      for (const { settlement } of sites) after.joins.push(...settlement.laneJoins)
      for (const { answer } of asked) answer()
    },
  }

  async function activeIn(
    { provider, account }: { provider: string; account: string },
    meetings: string[],
  ): Promise<StoredBooking[]> {
    const rows: Row[] = await trx(database.tables.bookings)
      .select(...bookingColumns)
      .where({ provider, account })
      .whereIn('meeting_id', meetings)
      .whereIn('status', ['confirmed', 'conflict'])
    return rows.map(storedBooking)
  }
}

function isOneOf(meetings: string[], meetingId: string | null): boolean {
  return meetingId !== null && meetings.includes(meetingId)
}

/**
 * Gives each name to the member that asks for it first; a member that asks for one that is another's is put off, and keeps its other names from those
 * who come after it: what is linked is settled in the order in which it was claimed.
 */
function taker(): <Name extends StepName>(asked: Asked<Name>, names: string[]) => boolean {
  const taken = new Map<string, Member>()
  return (asked, names) => {
    const isFree = names.every(name => (taken.get(name) ?? asked.by) === asked.by)
    for (const name of names) if (!taken.has(name)) taken.set(name, asked.by)
    if (!isFree) asked.putOff()
    return isFree
  }
}
