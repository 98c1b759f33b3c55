import type { Interpreted, SecondLook } from '../adapter/adapter.js'
import { identify, laneKey } from '../event/identity.js'
import type { NewEvent, StoredEvent } from '../inbox/stored-event.js'

/** An event that the reading of another one holds. */
export function eventFound(row: StoredEvent, one: Interpreted): NewEvent {
  const event = furtherEvent(row, one.key)
  return 'fact' in one && one.providerType ? { ...event, providerType: one.providerType } : event
}

/** A second look that an event asks for. */
export function lookEvent(row: StoredEvent, look: SecondLook): NewEvent {
  return {
    ...furtherEvent(row, look.key),
    lane: laneKey('settle', row.provider, row.account, look.lane),
    providerType: 'look',
    type: null,
    bookingId: look.unlessKnown,
    meetingId: null,
    occurredUs: null,
    // A body of its own: the store would give it its parent's.
    body: Buffer.from(JSON.stringify(look.subject)),
    parentId: null,
    origin: 'look',
    index: 0,
    afterMs: look.afterMs,
  }
}

function furtherEvent(row: StoredEvent, dedupeKey: string): NewEvent {
  return {
    ...row,
    ...identify(row.provider, row.account, dedupeKey),
    dedupeKey,
    body: null,
    parentId: row.id,
    origin: 'settling',
    afterMs: 0,
  }
}
