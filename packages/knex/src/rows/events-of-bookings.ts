import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { isSettled, isUnsettled } from '../schema/partial-indexes.js'
import type { Owner } from '../settle/owner.js'

/**
 * The ids of the events that name these bookings, as a query to look in. What is settled is found through its index; what is not is little, and looked
 * through.
 */
export function eventsOfBookings(
  { knex, tables }: Pick<Database, 'knex' | 'tables'>,
  bookingIds: string[],
  owner: Partial<Owner> = {},
): Knex.QueryBuilder {
  const naming = (those: string) =>
    knex(tables.events).select('id').whereRaw(those).whereIn('booking_id', bookingIds).where(owner)
  // Within another one, as MariaDB would ask a bare union once for each row that it is to be looked up for.
  return knex.select('id').from(naming(isSettled).unionAll(naming(isUnsettled)).as('naming'))
}
