import { randomBytes } from 'node:crypto'
import type { Ground } from '@booking-webhooks/conformance'
import type { Store } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import knex from 'knex'
import { probeOf } from './probe.js'

/** A database of its own on a server, by the URL of any database there. */
export async function serverGround(url: string): Promise<Ground> {
  const name = `bw_store_${randomBytes(6).toString('hex')}`
  const admin = knex(configurationOf(url))
  await admin.raw(`CREATE DATABASE ${name}`)
  // Without waiting for the disk: what is proven here is not that.
  if (url.startsWith('postgres')) await admin.raw(`ALTER DATABASE ${name} SET synchronous_commit = off`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const store = knexStore(own.href)
  await store.open()
  const stores: Store[] = [store]
  const back = knex(configurationOf(own.href))
  return {
    store,
    async another() {
      const [, known] = stores
      if (known) return known
      const other = knexStore(own.href, { migrate: false })
      await other.open()
      stores.push(other)
      return other
    },
    probe: probeOf(back),
    async stop() {
      for (const one of stores) await one.close()
      await back.destroy()
      await admin.raw(`DROP DATABASE ${name}`)
      await admin.destroy()
    },
  }
}

function configurationOf(url: string) {
  return { client: url.startsWith('postgres') ? 'pg' : 'mysql2', connection: url }
}
