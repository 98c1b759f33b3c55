import type { EventFilter, EventStatus } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import type { Database } from './database.js'

/** Narrows a query over the events (as `e`) to those that a filter means. */
export function filterEvents(
  query: Knex.QueryBuilder,
  { knex, tables }: Database,
  filter: EventFilter,
): Knex.QueryBuilder {
  const same = {
    'e.id': filter.event,
    'e.booking_id': filter.booking,
    'e.provider': filter.provider,
    'e.account': filter.account,
    'e.type': filter.type,
    'e.outcome': filter.outcome,
  }
  for (const [column, value] of Object.entries(same)) if (value !== undefined) query.where(column, value)
  const time = filter.by === 'occurred' ? 'e.occurred_us' : 'e.received_us'
  if (filter.fromUs !== undefined) query.where(time, '>=', filter.fromUs)
  if (filter.toUs !== undefined) query.where(time, '<', filter.toUs)
  const tells = () => tellsOfEvent(knex, tables, filter.subscriber)
  if (filter.status !== undefined) withStatus(query, tells, filter.status)
  else if (filter.subscriber !== undefined) query.whereExists(tells())
  return query
}

/** The latest tell of each subscriber: after a replay, the replay's. */
function tellsOfEvent(knex: Knex, tables: Database['tables'], subscriber?: string): Knex.QueryBuilder {
  const query = knex(`${tables.tells} as t`)
    .select('t.event_id')
    .whereRaw('t.event_id = e.id')
    .whereNotExists(
      knex(`${tables.tells} as later`)
        .select('later.event_id')
        .whereRaw(
          'later.event_id = t.event_id and later.subscriber = t.subscriber and later.sequence > t.sequence',
        ),
    )
  return subscriber === undefined ? query : query.where('t.subscriber', subscriber)
}

/** Of the row and its tells together: a dead letter needs a person, so it outweighs a tell that is still to come. */
function withStatus(query: Knex.QueryBuilder, tells: () => Knex.QueryBuilder, status: EventStatus): void {
  const tellIs = (is: string) => tells().where('t.status', is)
  switch (status) {
    case 'waiting':
      query.where('e.status', 'waiting')
      break
    case 'dead':
      query.where(any => any.where('e.status', 'dead').orWhereExists(tellIs('dead')))
      break
    case 'pending':
      query
        .whereNot('e.status', 'waiting')
        .where(any => any.where('e.status', 'pending').orWhereExists(tellIs('pending')))
        .whereNotExists(tellIs('dead'))
      break
    case 'done':
      query.where('e.status', 'settled').whereNotExists(tells().whereNot('t.status', 'done'))
  }
}
