import { formatInstant, type Settlement, type SlotName, type SlotStep } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from './database.js'
import { parsed } from './event-row.js'

/** What an event did to slots, as kept with it for ever: a conflict first waits, and takes later. */
interface KeptStep {
  atUs: number
  freed: KeptSlot[]
  taken: KeptSlot[]
  awaited: KeptSlot[]
}

type KeptSlot = [resource: string, startsUs: number]

/** Adds what a settlement does to slots to what the event did before. */
export async function keepSlotStep(
  { tables, nowUs }: Database,
  trx: Knex.Transaction,
  eventId: string,
  { free, take, wait }: Pick<NonNullable<Settlement['decision']>, 'free' | 'take' | 'wait'>,
): Promise<void> {
  const awaited = wait?.slots ?? []
  if (free.length + take.length + awaited.length === 0) return
  const event = () => trx(tables.events).where({ id: eventId })
  const [row] = await event().select('slots', trx.raw(`${nowUs()} as now_us`))
  const step: KeptStep = {
    atUs: Number(row?.now_us),
    freed: free.map(kept),
    taken: take.map(kept),
    awaited: awaited.map(kept),
  }
  await event().update({ slots: JSON.stringify([...stepsIn(row?.slots), step]) })
}

/** The steps of an event's row. */
export function slotSteps(slots: unknown): SlotStep[] {
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
