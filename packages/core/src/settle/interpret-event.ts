import type { Interpreted, Snapshot } from '../adapter/adapter.js'
import { describeError } from '../event/describe-error.js'
import type { Micros } from '../event/instant.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { Deciding } from './deciding.js'
import { readingOf } from './reading-of.js'
import type { SettleTransaction } from './settle-transaction.js'

/** A stored row's meaning by today's adapter, 1..n events. One that throws costs the event its meaning, not its row. */
export async function interpretEvent(
  transaction: SettleTransaction,
  row: StoredEvent,
  snapshot: Snapshot | null,
  connectedUs: Micros,
  deciding: Pick<Deciding, 'adapter' | 'hash' | 'log'>,
): Promise<Interpreted[]> {
  if (row.unreadable !== null) return [{ key: row.dedupeKey, unreadable: row.unreadable }]
  // A further event of a reading means what the whole reading means, and of that its own part.
  const parent =
    row.origin === 'settling' && row.parentId !== null ? await transaction.event(row.parentId) : null
  const read = parent ?? row
  const found = await interpretRow(
    transaction,
    read,
    parent ? parent.snapshot : snapshot,
    connectedUs,
    deciding,
  )
  if (row.fact === null) return found
  return decidedAgain(row, found, isFoundByComparing(read))
}

async function interpretRow(
  transaction: SettleTransaction,
  row: StoredEvent,
  snapshot: Snapshot | null,
  connectedUs: Micros,
  { adapter, hash, log }: Pick<Deciding, 'adapter' | 'hash' | 'log'>,
): Promise<Interpreted[]> {
  const booking =
    row.bookingId === null ? null : await transaction.booking(row.provider, row.account, row.bookingId)
  try {
    return adapter.interpret(readingOf(row), snapshot, booking, { hash, connectedUs })
  } catch (error) {
    log.error('the adapter failed to interpret an event', { event: row.id, reason: describeError(error) })
    return [{ key: row.dedupeKey, unreadable: 'The adapter failed to interpret it.' }]
  }
}

/** What a poke means was found by comparing with the booking of that day; beside today's booking its snapshot would mean the way back. */
function isFoundByComparing({ origin }: StoredEvent): boolean {
  return origin === 'poke'
}

/** The part of a row that is decided again, of all that its reading means today. */
function decidedAgain(row: StoredEvent, found: Interpreted[], keepsFact: boolean): Interpreted[] {
  const { fact } = row
  if (fact === null) return found
  const own = found.find(one => one.key === row.dedupeKey)
  if (keepsFact || own === undefined)
    return [{ key: row.dedupeKey, fact, raw: rawOf(own) ?? rawOf(found[0]) ?? null }]
  return row.origin === 'settling' ? [own] : found
}

function rawOf(one: Interpreted | undefined): unknown {
  return one && 'raw' in one ? one.raw : null
}
