import type { StoreProbe } from '@booking-webhooks/conformance'
import type { Knex } from 'knex'

const prefix = 'booking_webhooks_'
const tables = [
  'events',
  'lanes',
  'tells',
  'bookings',
  'subjects',
  'subject_locks',
  'slots',
  'waiting',
  'steps',
  'subscribers',
  'streaks',
  'alerts',
  'accounts',
  'replays',
]

/** The tables as they are, past the store. */
export function probeOf(back: Knex): StoreProbe {
  return {
    async empty() {
      for (const table of tables) await back(prefix + table).delete()
    },
    async body(id) {
      const [row] = await back(`${prefix}events`).select('body').where({ id })
      return row.body
    },
    async slots() {
      const rows = await back(`${prefix}slots`).orderBy(['resource', 'starts_us'])
      return rows.map(row => ({
        resource: row.resource,
        startsUs: Number(row.starts_us),
        provider: row.provider,
        account: row.account,
        meetingId: row.meeting_id,
      }))
    },
    async count(of) {
      const [row] = await back(prefix + of).count({ n: '*' })
      return Number(row?.n)
    },
    async strand(lane) {
      await back(`${prefix}lanes`).where({ lane }).update({ due_us: Number.MAX_SAFE_INTEGER, owner: null })
    },
    async freeSlots() {
      await back(`${prefix}slots`).delete()
    },
  }
}
