import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { command, start } from './command.js'
import { runHere } from './run-here.js'
import { serving, until } from './serving.js'

const leftovers = () => readdirSync(tmpdir()).filter(name => name.startsWith('booking-webhooks-demo-'))

describe('booking-webhooks serve --demo', function () {
  this.timeout(60_000)

  it('plays the story without any setting, stays up, and ends with a line that works as pasted', async () => {
    const before = leftovers()
    const server = await serving(['--demo'], {})
    const story = await until(() => (/^npx .*\n/m.test(server.stdout()) ? server.stdout() : null))

    const cells = story
      .split('\n')
      .filter(line => /^\d/.test(line))
      .map(line => line.split(/ {2,}/))
    expect(cells.map(([number, , answer, outcome, told]) => [number, answer, outcome, told])).to.deep.equal([
      ['1', '200', 'accepted', 'booking.created (Ann)'],
      ['2', '200', 'accepted, came 2×', '–'],
      ['3', '200', 'accepted', 'booking.canceled (Bob)'],
      ['4', '200', 'refused', '–'],
      ['5', '200', 'superseded', '–'],
      ['6', '200', 'accepted', 'booking.rescheduled (Ann, 10:00 → 11:00)'],
      ['7', '401', 'not let in', '–'],
      ['8', '200', 'accepted', 'booking.created (Cleo)'],
      ['9', '200', 'conflict', 'booking.conflict (Dan)'],
      ['10', '200', 'accepted', 'booking.canceled (Cleo)'],
    ])
    expect(story).to.match(/^ {2,}booking\.created \(Dan\)$/m)
    expect(story).to.contain('demo keys')

    const look = /^ +npx booking-webhooks (events --database .*)$/m.exec(story)?.[1] ?? ''
    const ledger = await command(look.split(' '))
    expect(ledger.code).to.equal(0)
    expect(ledger.stdout).to.contain('booking.rescheduled')

    const [last] = story.trimEnd().split('\n').slice(-1)
    expect(last).to.match(/^npx booking-webhooks send /)
    const sent = await command([...last.split(' ').slice(2), '--json'])
    expect([sent.code, JSON.parse(sent.stdout).status]).to.deep.equal([0, 200])

    expect(await server.stop('SIGINT')).to.equal(0)
    expect(leftovers()).to.deep.equal(before)
  })

  it('uses a key that is set, and does not show it', async () => {
    const environment = { CALENDLY_SIGNING_KEY: 'a-signing-key-for-tests' }
    const server = await serving(['--demo'], { environment })
    const story = await until(() => (/^npx .*\n/m.test(server.stdout()) ? server.stdout() : null))
    expect(await server.stop()).to.equal(0)
    expect(story).not.to.contain(environment.CALENDLY_SIGNING_KEY)
    const [last] = story.trimEnd().split('\n').slice(-1)
    expect(last).to.match(/ --provider calendly$/)
    expect(story).to.contain('booking.rescheduled (Ann')
  })

  it('takes another port where the usual one is taken, unless one was asked for', async () => {
    const usual = createServer().listen(3000, '127.0.0.1')
    await new Promise(resolve => usual.once('listening', resolve).once('error', resolve))
    const child = start(['serve', '--demo'])
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    const url = await until(() => /^listening on (\S+)$/m.exec(stdout)?.[1] ?? null)
    child.kill()
    await new Promise(resolve => child.once('close', resolve))
    expect(new URL(url).port).not.to.equal('3000')
    const asked = await command(['serve', '--demo'], { environment: { PORT: '3000' } })
    usual.close()
    expect(asked.code).to.equal(1)
    expect(asked.stderr).to.contain('Port 3000 is taken')
  })

  it('refuses to put invented bookings among real ones', async () => {
    for (const [args, environment] of [
      [[], { DATABASE_URL: 'postgres://db/app' }],
      [['--database', 'real.db'], {}],
    ] as const) {
      const { code, stderr } = await runHere(['serve', '--demo', ...args], environment)
      expect(code).to.equal(2)
      expect(stderr).to.contain('DATABASE_URL')
    }
  })
})
