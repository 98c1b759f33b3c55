import type { Knex } from 'knex'
import { idleUs } from '../../database/database.js'
import type { Tables } from '../../database/tables.js'
import type { Dialect } from '../../dialects/dialect.js'
import {
  hasParent,
  isFinished,
  isReplayed,
  isSettled,
  isUnsettled,
  isUntold,
  waitsAfter,
} from '../partial-indexes.js'

/**
 * The ledger's tables. Instants are BIGINT microseconds, as SQL dates through Knex lose fractions, zones or both on some driver.
 * What may hold a guest's data stands in columns of its own, so that it can be blanked: `headers`, `body`, `snapshot`,
 * `fact_details`, `told`, `last_error`, `details`, `result`.
 */
export async function createLedger(db: Knex, dialect: Dialect, tables: Tables): Promise<void> {
  const types = await dialect.columnTypes(db)
  const name = (part: string) => `${tables.prefix}${part}`
  const key = (table: Knex.CreateTableBuilder, column: string, length = 255) =>
    table.specificType(column, types.key(length))
  const text = (table: Knex.CreateTableBuilder, column: string) => table.specificType(column, types.text)
  const micros = (table: Knex.CreateTableBuilder, column: string) => table.bigInteger(column)
  /** What is to be done in a lane, and in all of them: without what was ever done, where the database can leave that out. */
  const toDo = (table: Knex.CreateTableBuilder, of: string, isToDo: string) =>
    dialect.hasPartialIndexes
      ? table.index(['lane', 'sequence'], name(`${of}_to_do`), { predicate: db.whereRaw(isToDo) })
      : table.index(['status', 'lane', 'sequence'], name(`${of}_to_do`))

  await db.schema.createTable(tables.events, table => {
    table.bigIncrements('sequence')
    key(table, 'id', 36).notNullable()
    key(table, 'dedupe_hash', 64).notNullable()
    text(table, 'dedupe_key').notNullable()
    key(table, 'lane', 64).notNullable()
    key(table, 'provider', 64).notNullable()
    key(table, 'account').notNullable()
    key(table, 'provider_type').notNullable()
    key(table, 'type')
    key(table, 'booking_id')
    key(table, 'meeting_id')
    key(table, 'thread_id')
    micros(table, 'occurred_us')
    micros(table, 'received_us').notNullable()
    micros(table, 'last_received_us').notNullable()
    table.integer('deliveries').notNullable()
    key(table, 'parent_id', 36)
    table.integer('reading_index').notNullable()
    text(table, 'unreadable')
    key(table, 'origin', 10).notNullable()
    micros(table, 'due_us').notNullable()
    key(table, 'status', 8).notNullable()
    key(table, 'outcome', 12)
    text(table, 'reason')
    table.integer('attempts').notNullable().defaultTo(0)
    table.integer('replays').notNullable().defaultTo(0)
    key(table, 'replay', 64)
    micros(table, 'finished_us')
    table.boolean('is_blank').notNullable().defaultTo(false)
    micros(table, 'erased_us')
    text(table, 'slots')
    text(table, 'fact')
    text(table, 'headers')
    table.specificType('body', types.bytes)
    text(table, 'snapshot')
    text(table, 'fact_details')
    text(table, 'told')
    text(table, 'last_error')
    table.unique(['id'], { indexName: name('one_event_per_key') })
    // Not of what was only recorded: a delivery would wait for it, as a booking's place in there is anywhere (SQLite takes 79 µs an event with
    // it, 59 without; PostgreSQL 72 and 59).
    table.index(['booking_id', 'provider', 'account'], name('events_of_booking'), {
      predicate: db.whereRaw(isSettled),
    })
    table.index(['parent_id'], name('events_of_body'), { predicate: db.whereRaw(hasParent) })
    table.index(['received_us'], name('events_by_arrival'))
    table.index(['is_blank', 'finished_us', 'sequence'], name('events_by_finish'), {
      predicate: db.whereRaw(isFinished),
    })
    toDo(table, 'events', isUnsettled)
  })

  await db.schema.createTable(tables.lanes, table => {
    key(table, 'lane', 64).notNullable()
    table.primary(['lane'], name('lanes_pkey'))
    key(table, 'kind', 6).notNullable()
    key(table, 'subscriber', 100).notNullable()
    micros(table, 'due_us').notNullable().defaultTo(idleUs)
    micros(table, 'fence').notNullable()
    table.bigInteger('wake').notNullable()
    key(table, 'owner')
    table.boolean('is_abandoned').notNullable().defaultTo(false)
    table.integer('failures').notNullable().defaultTo(0)
    key(table, 'after_lane', 64)
    table.index(['kind', 'subscriber', 'due_us'], name('lanes_due'))
    table.index(['after_lane'], name('lanes_after'), { predicate: db.whereRaw(waitsAfter) })
  })

  await db.schema.createTable(tables.tells, table => {
    table.bigIncrements('sequence')
    key(table, 'event_id', 36).notNullable()
    key(table, 'subscriber', 100).notNullable()
    key(table, 'replay', 64).notNullable().defaultTo('')
    key(table, 'lane', 64).notNullable()
    key(table, 'status', 8).notNullable()
    table.integer('attempts').notNullable().defaultTo(0)
    text(table, 'last_error')
    micros(table, 'finished_us')
    table.unique(['event_id', 'subscriber', 'replay'], { indexName: name('one_tell_per_subscriber') })
    toDo(table, 'tells', isUntold)
    table.index(['replay', 'status'], name('tells_of_replay'), { predicate: db.whereRaw(isReplayed) })
  })

  await db.schema.createTable(tables.bookings, table => {
    key(table, 'provider', 64).notNullable()
    key(table, 'account').notNullable()
    key(table, 'booking_id').notNullable()
    key(table, 'thread_id').notNullable()
    key(table, 'meeting_id')
    key(table, 'status', 12)
    key(table, 'told', 8).notNullable()
    micros(table, 'starts_us')
    micros(table, 'ends_us')
    micros(table, 'updated_us').notNullable()
    micros(table, 'erased_us')
    text(table, 'data').notNullable()
    text(table, 'details')
    // Ids first: people ask for a booking without saying whose.
    table.primary(['booking_id', 'provider', 'account'], name('bookings_pkey'))
    table.index(['meeting_id', 'provider', 'account'], name('bookings_of_meeting'))
    table.index(['thread_id', 'provider', 'account'], name('bookings_of_thread'))
    table.index(['updated_us'], name('bookings_by_change'))
  })

  await db.schema.createTable(tables.subjects, table => {
    key(table, 'provider', 64).notNullable()
    key(table, 'account').notNullable()
    key(table, 'subject', 260).notNullable()
    key(table, 'event_id', 36).notNullable()
    table.primary(['provider', 'account', 'subject', 'event_id'], name('subjects_pkey'))
    table.index(['event_id'], name('subjects_of_event'))
  })

  await db.schema.createTable(tables.subject_locks, table => {
    key(table, 'provider', 64).notNullable()
    key(table, 'account').notNullable()
    key(table, 'subject', 260).notNullable()
    table.primary(['provider', 'account', 'subject'], name('subject_locks_pkey'))
  })

  await db.schema.createTable(tables.slots, table => {
    key(table, 'resource', 600).notNullable()
    micros(table, 'starts_us').notNullable()
    key(table, 'provider', 64).notNullable()
    key(table, 'account').notNullable()
    key(table, 'meeting_id').notNullable()
    table.unique(['resource', 'starts_us'], { indexName: name('one_booking_per_slot') })
    table.index(['starts_us'], name('slots_by_start'))
  })

  await db.schema.createTable(tables.waiting, table => {
    key(table, 'event_id', 36).notNullable()
    key(table, 'resource', 600).notNullable()
    micros(table, 'starts_us').notNullable()
    key(table, 'provider', 64).notNullable()
    key(table, 'account').notNullable()
    key(table, 'booking_id').notNullable()
    micros(table, 'occurred_us').notNullable()
    key(table, 'wanted', 32).notNullable()
    table.primary(['event_id', 'resource', 'starts_us'], name('waiting_pkey'))
    table.index(['resource', 'starts_us'], name('waiting_for_slot'))
    table.index(['provider', 'account', 'booking_id'], name('waiting_bookings'))
  })

  await db.schema.createTable(tables.steps, table => {
    key(table, 'event_id', 36).notNullable()
    key(table, 'subscriber', 100).notNullable()
    key(table, 'name').notNullable()
    text(table, 'result')
    table.primary(['event_id', 'subscriber', 'name'], name('steps_pkey'))
  })

  await db.schema.createTable(tables.subscribers, table => {
    key(table, 'name', 100).notNullable()
    table.primary(['name'], name('subscribers_pkey'))
    text(table, 'takes').notNullable()
    micros(table, 'seen_us')
  })

  await db.schema.createTable(tables.streaks, table => {
    key(table, 'subject', 400).notNullable()
    table.integer('consecutive_failures').notNullable()
    table.integer('streak').notNullable()
    table.primary(['subject'], name('streaks_pkey'))
  })

  await db.schema.createTable(tables.alerts, table => {
    table.bigIncrements('id')
    key(table, 'subject', 400).notNullable()
    table.integer('streak').notNullable()
    table.integer('threshold').notNullable()
    key(table, 'kind', 10).notNullable()
    text(table, 'fields').notNullable()
    micros(table, 'raised_us').notNullable()
    micros(table, 'lease_us').notNullable().defaultTo(0)
    micros(table, 'handed_us')
    table.unique(['subject', 'streak', 'threshold'], { indexName: name('one_alert_per_crossing') })
    table.index(['handed_us'], name('alerts_to_hand_over'), { predicate: db.whereNull('handed_us') })
  })

  await db.schema.createTable(tables.accounts, table => {
    key(table, 'provider', 64).notNullable()
    key(table, 'account').notNullable()
    micros(table, 'connected_us')
    micros(table, 'paused_until_us').notNullable().defaultTo(0)
    table.primary(['provider', 'account'], name('accounts_pkey'))
  })

  await db.schema.createTable(tables.replays, table => {
    key(table, 'id', 64).notNullable()
    table.primary(['id'], name('replays_pkey'))
    key(table, 'lane', 64).notNullable()
    text(table, 'filter').notNullable()
    text(table, 'cursor')
    text(table, 'counts').notNullable()
    table.integer('left_late').notNullable().defaultTo(0)
    micros(table, 'requested_us').notNullable()
    micros(table, 'finished_us')
  })

  await db.schema.createTable(tables.erasures, table => {
    key(table, 'event_id', 36).notNullable()
    table.primary(['event_id'], name('erasures_pkey'))
  })
}
