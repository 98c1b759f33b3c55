import type { Ground } from '@booking-webhooks/conformance'
import { knexStore } from '@booking-webhooks/knex'
import knex from 'knex'
import ClientPgLite from 'knex-pglite'
import { probeOf } from './probe.js'

/** PostgreSQL within this process. It has one session, so every store is on the same Knex instance. */
export async function pgliteGround(): Promise<Ground> {
  const embedded = knex({ client: ClientPgLite, dialect: 'postgres', connection: {} })
  const store = knexStore(embedded)
  await store.open()
  return {
    store,
    another: async () => knexStore(embedded),
    probe: probeOf(embedded),
    stop: () => embedded.destroy(),
  }
}
