import { isBookingWebhooksError } from '@booking-webhooks/core'
import { knexStore, type SchemaState, schemaOf } from '@booking-webhooks/knex'
import { existingDatabase } from '../existing-database.js'
import type { Finding } from './finding.js'
import { examineLedger } from './ledger.js'

/** Whether the database answers, has this package's schema, and is looked after. Changes nothing. */
export async function examineDatabase(urlOf: () => string): Promise<Finding[]> {
  const found: Finding[] = []
  try {
    for await (const finding of findings(urlOf())) found.push(finding)
  } catch (error) {
    if (!isBookingWebhooksError(error)) throw error
    const check = found.length === 0 ? 'database' : 'schema'
    found.push({ check, state: 'problem', detail: error.message })
  }
  return found
}

async function* findings(url: string): AsyncGenerator<Finding> {
  const store = knexStore(existingDatabase(url), { migrate: false })
  try {
    await store.ping()
    yield { check: 'database', state: 'ok', detail: `It answers (${store.name}).` }
    const schema = await schemaOf(url)
    yield schemaFinding(schema)
    if (!schema.isCurrent) return
    await store.open()
    yield* examineLedger(await store.health())
  } finally {
    await store.close()
  }
}

function schemaFinding({ version, needed, isCurrent }: SchemaState): Finding {
  const check = 'schema'
  if (isCurrent) return { check, state: 'ok', detail: `It is up to date (version ${version}).` }
  const remedy =
    version < needed
      ? `this package needs ${needed}. Run booking-webhooks migrate.`
      : `this package knows ${needed}. Update booking-webhooks.`
  return { check, state: 'problem', detail: `It is at version ${version}, ${remedy}` }
}
