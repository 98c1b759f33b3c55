import type { EventFilter, EventStatus } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { eventsOfBookings } from '../rows/events-of-bookings.js'
import { isUnsettled, isUntold } from '../schema/partial-indexes.js'

/** Narrows a query over the events (as `e`) to those that a filter means. */
export function filterEvents(
  query: Knex.QueryBuilder,
  database: Database,
  filter: EventFilter,
): Knex.QueryBuilder {
  const { knex, tables } = database
  const same = {
    'e.id': filter.event,
    'e.provider': filter.provider,
    'e.account': filter.account,
    'e.type': filter.type,
    'e.outcome': filter.outcome,
  }
  for (const [column, value] of Object.entries(same)) if (value !== undefined) query.where(column, value)
  const time = filter.by === 'occurred' ? 'e.occurred_us' : 'e.received_us'
  if (filter.booking !== undefined) query.whereIn('e.id', eventsOfBookings(database, [filter.booking]))
  if (filter.fromUs !== undefined) query.where(time, '>=', filter.fromUs)
  if (filter.toUs !== undefined) query.where(time, '<', filter.toUs)
  if (filter.status !== undefined) withStatus(query, database, filter.status, filter.subscriber)
  if (filter.subscriber !== undefined)
    query.whereIn('e.id', knex(tables.tells).select('event_id').where({ subscriber: filter.subscriber }))
  return query
}

/**
 * Of the row and its tells together: a dead letter needs a person, so it outweighs a tell that is still to come, unless it was erased.
 * Where one subscriber is asked for, of its tell. What is to be done is little, so it is found first and looked up by id.
 */
function withStatus(
  query: Knex.QueryBuilder,
  database: Database,
  status: EventStatus,
  subscriber: string | undefined,
): void {
  const told = (is: 'pending' | 'dead') => untold(database, is, subscriber)
  const unsettled = (is: string) =>
    database.knex(database.tables.events).select('id').whereRaw(isUnsettled).where({ status: is })
  switch (status) {
    case 'waiting':
      query.whereIn('e.id', unsettled('waiting'))
      break
    case 'dead':
      query
        .where('e.is_blank', false)
        .whereIn('e.id', subscriber === undefined ? unsettled('dead').unionAll(told('dead')) : told('dead'))
      break
    case 'pending':
      query
        .whereIn(
          'e.id',
          subscriber === undefined ? unsettled('pending').unionAll(told('pending')) : told('pending'),
        )
        .whereNotIn('e.id', unsettled('waiting'))
        .whereNotIn('e.id', told('dead'))
      break
    case 'done':
      query.where(over =>
        over
          .where('e.is_blank', true)
          .orWhere(done =>
            done
              .whereNotIn(
                'e.id',
                unsettled('waiting').unionAll(unsettled('pending')).unionAll(unsettled('dead')),
              )
              .whereNotIn('e.id', told('pending').unionAll(told('dead'))),
          ),
      )
  }
}

/** The events of tells that are not done: of each subscriber the latest, which after a replay is the replay's. */
function untold(
  { knex, tables }: Database,
  status: 'pending' | 'dead',
  subscriber: string | undefined,
): Knex.QueryBuilder {
  const query = knex(`${tables.tells} as t`)
    .select('t.event_id')
    .whereRaw(`t.${isUntold}`)
    .where('t.status', status)
    .whereNotExists(
      knex(`${tables.tells} as later`)
        .select('later.event_id')
        .whereRaw(
          'later.event_id = t.event_id and later.subscriber = t.subscriber and later.sequence > t.sequence',
        ),
    )
  return subscriber === undefined ? query : query.where('t.subscriber', subscriber)
}
