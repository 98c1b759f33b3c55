import { formatInstant, type Settlement, type SlotName, type SlotStep } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { parsed } from '../rows/event-row.js'

/** What an event did to slots, as kept with it for ever: a conflict first waits, and takes later. */
interface KeptStep {
  atUs: number
  freed: KeptSlot[]
  taken: KeptSlot[]
  awaited: KeptSlot[]
}

type KeptSlot = [resource: string, startsUs: number]

/** What the events of these settlements did to slots, with what they did before, as their rows keep it; none for those that do nothing now. */
export async function slotSteps(
  { tables, nowUs }: Database,
  trx: Knex.Transaction,
  settlements: Settlement[],
): Promise<Map<string, string>> {
  const acting = settlements.filter(({ decision }) => decision !== null && touchesSlots(decision))
  if (acting.length === 0) return new Map()
  const rows = await trx(tables.events)
    .select('id', 'slots', trx.raw(`${nowUs()} as now_us`))
    .whereIn(
      'id',
      acting.map(({ event }) => event.id),
    )
  const before = new Map(rows.map(row => [row.id as string, row]))
  return new Map(
    acting.map(({ event, decision }) => {
      const row = before.get(event.id)
      const step: KeptStep = {
        atUs: Number(row?.now_us),
        freed: (decision?.free ?? []).map(kept),
        taken: (decision?.take ?? []).map(kept),
        awaited: (decision?.wait?.slots ?? []).map(kept),
      }
      return [event.id, JSON.stringify([...stepsIn(row?.slots), step])]
    }),
  )
}

function touchesSlots({ free, take, wait }: NonNullable<Settlement['decision']>): boolean {
  return free.length + take.length + (wait?.slots.length ?? 0) > 0
}

/** The steps of an event's row. */
export function slotStepsIn(slots: unknown): SlotStep[] {
  return stepsIn(slots).map(({ atUs, freed, taken, awaited }) => ({
    at: formatInstant(atUs),
    freed: freed.map(slotName),
    taken: taken.map(slotName),
    awaited: awaited.map(slotName),
  }))
}

function stepsIn(slots: unknown): KeptStep[] {
  return (parsed(slots) ?? []) as KeptStep[]
}

function kept({ resource, startsUs }: { resource: string; startsUs: number }): KeptSlot {
  return [resource, startsUs]
}

function slotName([resource, startsUs]: KeptSlot): SlotName {
  return { resource, startsAt: formatInstant(startsUs) }
}
