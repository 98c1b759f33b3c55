import type { NewEvent } from '@booking-webhooks/core'
import type { Row } from '../dialects/dialect.js'
import { newEventRow } from '../rows/event-row.js'

/** An event and, after it, its repeats within the batch. */
export type Group = [NewEvent, ...NewEvent[]]

/** Sorted by id (the key's hash), so that two batches with the same events wait for each other instead of deadlocking. */
export function groupedById(events: NewEvent[]): Group[] {
  const groups = new Map<string, Group>()
  for (const event of events) {
    const group = groups.get(event.id)
    if (group) group.push(event)
    else groups.set(event.id, [event])
  }
  return [...groups.values()].sort(([a], [b]) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

/** The one row of a group, but for `due_us`, which is left to the database's clock. */
export function groupRow(group: Group): Row {
  const row = newEventRow(group[0])
  row.deliveries = group.length
  row.last_received_us = Math.max(...group.map(({ receivedUs }) => receivedUs))
  return row
}

/** How often each came where none of them was there before. */
export function countsOf(groups: Group[]): Map<string, number> {
  return new Map(groups.map(group => [group[0].id, group.length]))
}

/** Those that were not there before: a row that was had come at least once more. */
export function newOf(groups: Group[], deliveries: ReadonlyMap<string, number>): NewEvent[] {
  return groups.filter(group => deliveries.get(group[0].id) === group.length).map(([event]) => event)
}
