import type { Knex } from 'knex'

const rowsAtOnce = 100_000
const events = 'booking_webhooks_events'
const lanes = 'booking_webhooks_lanes'

/** Puts `count` settled events into a ledger as retention leaves them, without bodies. */
export async function fillEvents(knex: Knex, count: number): Promise<void> {
  const { hex, numbers } = wordsOf(knex)
  for (let left = count; left > 0; left -= rowsAtOnce)
    await knex.raw(
      `INSERT INTO ${events} (id, dedupe_hash, dedupe_key, lane, provider, account, provider_type, type, booking_id,
         received_us, last_received_us, deliveries, reading_index, origin, due_us, status, outcome, finished_us, is_blank)
       SELECT ${hex}, ${hex}, 'filled', ${hex}, 'calendly', 'default', 'invitee.created', 'booking.created', ${hex},
         1700000000000000 + n, 1700000000000000 + n, 1, 0, 'delivery', 0, 'settled', 'accepted', 1700000000000000 + n, true
       FROM ${numbers(Math.min(left, rowsAtOnce))}`,
    )
}

/** Puts so many settle lanes into a ledger whose back-off ends long from now. */
export async function fillLanes(knex: Knex, count: number): Promise<void> {
  const { hex, numbers } = wordsOf(knex)
  for (let left = count; left > 0; left -= rowsAtOnce)
    await knex.raw(
      `INSERT INTO ${lanes} (lane, kind, subscriber, due_us, fence, wake, failures)
       SELECT ${hex}, 'settle', '', 4000000000000000 + n, 1, 1, 5 FROM ${numbers(Math.min(left, rowsAtOnce))}`,
    )
}

/** How each database spells 32 random hex digits and a table of the numbers from 1. */
function wordsOf(knex: Knex): { hex: string; numbers(count: number): string } {
  const { client } = knex.client.config
  if (client === 'pg')
    return {
      hex: 'md5(random()::text || clock_timestamp()::text || n)',
      numbers: count => `generate_series(1, ${count}) AS numbers (n)`,
    }
  if (client === 'mysql2')
    return {
      hex: `md5(concat(rand(), '-', n))`,
      // The sequence engine, as recursion is limited.
      numbers: count => `(SELECT seq AS n FROM seq_1_to_${count}) AS numbers`,
    }
  return { hex: 'lower(hex(randomblob(16)))', numbers: recursive }
}

function recursive(count: number): string {
  return `(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}) SELECT n FROM numbers) AS numbers`
}
