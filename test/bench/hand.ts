import { createHmac, timingSafeEqual } from 'node:crypto'
import express, { type Express } from 'express'
import createKnex, { type Knex } from 'knex'
import { signingKey } from './signing-key.js'

/** What one writes at first: verify, parse, one insert for each request, answer. */
export async function hand(database: string): Promise<Express> {
  const knex = connect(database)
  const client = knex.client.config.client as keyof typeof bytes
  if (client === 'better-sqlite3')
    for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) await knex.raw(`PRAGMA ${pragma}`)
  await knex.schema.createTable('deliveries', table => {
    table.string('id', 500).primary()
    table.specificType('body', bytes[client]).notNullable()
  })
  const app = express()
  app.post('/webhooks/calendly', express.raw({ type: '*/*' }), async (request, response) => {
    const body = request.body as Buffer // express.raw() made it.
    if (!isSigned(request.header('calendly-webhook-signature') ?? '', body)) {
      response.sendStatus(401)
      return
    }
    const { event, payload } = JSON.parse(body.toString())
    const id = `${event} ${payload.uri} ${payload.updated_at}`
    await knex('deliveries').insert({ id, body }).onConflict('id').ignore()
    response.sendStatus(200)
  })
  return app
}

const bytes = { 'better-sqlite3': 'blob', pg: 'bytea', mysql2: 'mediumblob' }

function connect(database: string): Knex {
  if (database.startsWith('postgres')) return createKnex({ client: 'pg', connection: database })
  if (database.startsWith('mysql')) return createKnex({ client: 'mysql2', connection: database })
  return createKnex({
    client: 'better-sqlite3',
    connection: { filename: database },
    useNullAsDefault: true,
  })
}

function isSigned(header: string, body: Buffer): boolean {
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (!seconds || !hex) return false
  const expected = createHmac('sha256', signingKey).update(`${seconds}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(hex, 'hex'))
}
