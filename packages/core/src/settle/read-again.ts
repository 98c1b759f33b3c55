import type { WebhookRequest } from '../adapter/adapter.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import { eventsOf } from '../receive/events-of.js'
import type { Deciding } from './deciding.js'
import { inTransaction } from './in-transaction.js'
import { writeOutcome } from './write-outcome.js'

/**
 * Reads the bytes of an unreadable row with today's adapter, as if they came now. What is found under keys of its own gets rows of its
 * own; what is found under the row's own key takes its place.
 */
export async function readAgain(lane: ClaimedLane, event: StoredEvent, deciding: Deciding): Promise<void> {
  await inTransaction(lane, event, deciding, async (transaction, after) => {
    const row = await transaction.event(event.id)
    if (row?.status !== 'pending') return
    const read = eventsOf(requestOf(row), deciding)
    const found = 'events' in read ? read.events : []
    const own = found.find(one => one.id === row.id)
    const parentId = row.parentId ?? row.id
    const told: string[] = []
    for (const one of found) {
      if (one === own || one.unreadable !== null) continue
      await transaction.addEvent({ ...one, body: null, parentId }, false)
      told.push(one.id)
    }
    if (own && own.unreadable === null) {
      await transaction.reread(own)
    } else if (own || told.length === 0) {
      const reason = own?.unreadable ?? found[0]?.unreadable ?? row.unreadable ?? 'It makes no sense.'
      await writeOutcome(transaction, row, 'unreadable', reason)
      after.lines.push({ message: 'unreadable', fields: { event: row.id, reason } })
    } else {
      await writeOutcome(transaction, row, 'unchanged', `Read again, it is told as ${told.join(', ')}.`)
    }
  })
}

function requestOf({ headers, body, receivedUs, account }: StoredEvent): WebhookRequest {
  return {
    method: 'POST',
    publicUrl: null,
    headers: new Headers(headers),
    body,
    receivedAt: new Date(Math.floor(receivedUs / 1000)),
    account,
  }
}
