import { once } from 'node:events'
import { calendly } from '@booking-webhooks/calendly'
import { type Adapter, FetchError } from '@booking-webhooks/core'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

describe('an account whose API refused a fetch', () => {
  let bench: Workbench
  afterEach(() => bench.close())

  it('is asked by the next one where the one that asks loses its lane', async () => {
    let asked = 0
    const adapter: Adapter = {
      ...calendly({ signingKey }),
      needsFetch: () => true,
      async fetch(_reading, { signal }) {
        asked += 1
        if (asked === 1) throw refused()
        if (asked === 2) {
          takeAllLanes(bench.database)
          await once(signal, 'abort')
          throw signal.reason
        }
        return null
      },
    }
    bench = workbench({ providers: [adapter], leaseMs: 1_000, fetchBackoff: { baseMs: 1, capMs: 1 } })
    await bench.calendly({ event: 'invitee.created' })
    while (bench.told.length === 0) await bench.inbox.drain()
    expect(bench.toldInShort()).to.deep.equal(['booking.created IN1'])
  })
})

function refused(): FetchError {
  return new FetchError('Too many.', { retry: 1, counts: false, pauseAccountMs: 1, givenUp: 'dead' })
}

/** As another process that takes them and dies. */
function takeAllLanes(file: string): void {
  const database = new Database(file)
  database.exec('UPDATE booking_webhooks_lanes SET fence = fence + 1, due_us = 0')
  database.close()
}
