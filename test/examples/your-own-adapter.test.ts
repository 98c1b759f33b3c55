import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { hmacSha256 } from '@booking-webhooks/core'
import { expect } from 'chai'
import { workbench } from '../support/workbench.js'
import { acme } from './acme.js'
import { examples } from './running.js'

describe('the example your-own-adapter', () => {
  it('passes the contract, as its README says', () => {
    const said = execFileSync(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd: join(examples, 'your-own-adapter'),
      encoding: 'utf8',
    })
    expect(said)
      .to.match(/^# pass \d{2}$/m)
      .and.match(/^# fail 0$/m)
  }).timeout(60_000)

  it('is told once, and keeps a room for one booking', async () => {
    const key = 'a-secret-for-tests'
    const { inbox, toldInShort, deliver, close } = workbench({ providers: [acme({ secret: key })] })
    const starts_at = new Date(Date.now() + 86_400_000).toISOString()
    const send = async (id: string, type: string, booking: string, minute: number) => {
      const occurred_at = `2026-10-12T15:0${minute}:00Z`
      const body = Buffer.from(
        JSON.stringify({
          id,
          type,
          occurred_at,
          booking: { id: booking, starts_at, room: 'R1' },
        }),
      )
      const headers = { 'acme-signature': `sha256=${Buffer.from(hmacSha256(key, body)).toString('hex')}` }
      expect((await deliver({ title: type, method: 'POST', path: '/acme', headers, body })).status).to.equal(
        200,
      )
      await inbox.drain()
    }
    try {
      await send('E1', 'booking.made', 'B1', 1)
      await send('E1', 'booking.made', 'B1', 1)
      await send('E2', 'booking.made', 'B2', 2)
      await send('E3', 'booking.dropped', 'B1', 3)
      expect(toldInShort()).to.deep.equal([
        'booking.created B1',
        'booking.conflict B2',
        'booking.canceled B1',
        'booking.created B2',
      ])
    } finally {
      await close()
    }
  })
})
