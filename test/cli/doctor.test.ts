import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calendlyDelivery, calendlyStories } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { signingKey, workbench } from '../support/workbench.js'
import { runHere } from './run-here.js'

interface Finding {
  check: string
  state: string
  detail: string
}

describe('booking-webhooks doctor', () => {
  let directory: string
  let environment: Record<string, string>

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-doctor-'))
    environment = {
      DATABASE_URL: join(directory, 'test.db'),
      CALENDLY_SIGNING_KEY: signingKey,
      CALENDLY_API_TOKEN: 'a-token',
    }
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  async function doctor(changed: Record<string, string> = {}) {
    const { code, stdout } = await runHere(['doctor', '--json'], { ...environment, ...changed })
    const findings: Finding[] = stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
    const problems = findings.filter(({ state }) => state === 'problem')
    expect(code).to.equal(problems.length === 0 ? 0 : 1)
    return { findings, problems }
  }

  async function received(
    options: { agoMs?: number; isDown?: boolean; drain?: boolean } = {},
  ): Promise<void> {
    const { agoMs = 0, isDown = false, drain = true } = options
    const tell = () => {
      if (isDown) throw new Error('It is down.')
    }
    const bench = workbench({
      database: environment.DATABASE_URL,
      now: () => new Date(Date.now() - agoMs),
      subscribers: { calendar: { takes: ['*'], attempts: 1, tell } },
    })
    for (const delivery of calendlyStories['double-booking']({ key: signingKey }).slice(0, 2))
      await bench.deliver(delivery)
    if (drain) await bench.inbox.drain()
    await bench.close()
  }

  it('finds nothing where all is well', async () => {
    await received()
    const { findings, problems } = await doctor()
    expect(problems).to.deep.equal([])
    expect(findings.map(({ check, state }) => `${check}: ${state}`)).to.deep.equal([
      'configuration: ok',
      'database: ok',
      'schema: ok',
      'clock: ok',
      'backlog: ok',
      'dead letters: ok',
      'lanes: ok',
    ])
    expect(findings.find(({ check }) => check === 'backlog')?.detail).to.contain(
      'conflicts that wait for a slot: 1',
    )
  })

  it('says it to a person in a table', async () => {
    await received()
    const { stdout } = await runHere(['doctor'], environment)
    expect(stdout).to.match(
      /^check +state +detail\nconfiguration +ok +Connected: calendly; no FORWARD_URL is set\.\n/,
    )
  })

  it('finds a configuration that cannot start', async () => {
    await received()
    const { problems } = await doctor({ CALENDLY_SIGNING_KEY: '' })
    expect(problems.map(({ check }) => check)).to.deep.equal(['configuration'])
    expect(problems[0].detail).to.contain('CALENDLY_SIGNING_KEY')
  })

  it('finds a database that is not there', async () => {
    for (const url of [
      join(directory, 'missing.db'),
      `sqlite:${join(directory, 'missing.db')}`,
      'redis://db',
    ])
      expect((await doctor({ DATABASE_URL: url })).problems.map(({ check }) => check)).to.deep.equal([
        'database',
      ])
    expect(existsSync(join(directory, 'missing.db')), 'it was made').to.equal(false)
    expect((await doctor({ DATABASE_URL: '' })).problems[0].detail).to.contain('DATABASE_URL')
  })

  it('finds a schema that is not up to date', async () => {
    writeFileSync(environment.DATABASE_URL, '')
    const { problems } = await doctor()
    expect(problems).to.have.length(1)
    expect(problems[0]).to.include({ check: 'schema' })
    expect(problems[0].detail).to.contain('booking-webhooks migrate')
  })

  it('finds dead letters, and says what to do', async () => {
    await received({ isDown: true })
    const { problems } = await doctor()
    expect(problems.map(({ check }) => check)).to.deep.equal(['dead letters'])
    expect(problems[0].detail).to.match(/2 of callbacks.*dead replay/)
  })

  it('finds work that nobody does', async () => {
    await received({ drain: false, agoMs: 60_000 })
    const { problems } = await doctor()
    expect(problems.map(({ check }) => check)).to.deep.equal(['lanes'])
    expect(problems[0].detail).to.match(/Nobody has worked for 6\d s.*serve/)
  })

  it('finds a subscriber that no process runs', async () => {
    const database = environment.DATABASE_URL
    const tenMinutesAgo = { now: () => (Date.now() - 600_000) * 1_000 }
    const takes = { takes: ['*'], tell() {} }
    const before = workbench({ database, store: tenMinutesAgo, subscribers: { calendar: takes, crm: takes } })
    await before.inbox.drain()
    await before.close()
    await received()

    const { problems } = await doctor()
    expect(problems.map(({ check }) => check)).to.deep.equal(['lanes'])
    expect(problems[0].detail).to.match(/subscriber crm.*2 callbacks.*dead retire crm/)

    const retired = await runHere(['dead', 'retire', 'crm'], environment)
    expect([retired.code, retired.stdout]).to.deep.equal([
      0,
      'crm is told nothing any more. Taken back: 2 callbacks that it was still to hear, 0 dead letters.\n',
    ])
    expect((await doctor()).problems).to.deep.equal([])
    const again = await runHere(['dead', 'retire', 'crm'], environment)
    expect([again.code, again.stderr]).to.deep.equal([
      2,
      "booking-webhooks: No subscriber 'crm' is known to this database.\n",
    ])
  })

  it('refuses to end a subscriber that a process has', async () => {
    const bench = workbench({
      database: environment.DATABASE_URL,
      dispatch: true,
      subscribers: { crm: { takes: ['*'], tell() {} } },
    })
    await bench.inbox.start()
    const { code, stderr } = await runHere(['dead', 'retire', 'crm', '--json'], environment)
    await bench.close()
    expect(code).to.equal(2)
    expect(stderr).to.match(/A process had the subscriber 'crm' at .*Take it out of every process/)
  })

  it('finds what fails again and again, and notes what failed once', async () => {
    const bench = workbench({ database: environment.DATABASE_URL })
    const forged = calendlyDelivery({ key: 'another-key-of-someone', event: 'invitee.created' })
    await bench.deliver({ ...forged, headers: {} })
    for (const expected of [[], ['signature:calendly/default failed 5 times in a row. The log says why.']]) {
      for (let time = 0; time < 1 + 3 * expected.length; time += 1) await bench.deliver(forged)
      await new Promise(resolve => setTimeout(resolve, 200))
      const { problems, findings } = await doctor()
      expect(problems.map(({ detail }) => detail)).to.deep.equal(expected)
      expect(findings.filter(({ check }) => check === 'failures')).to.have.length(2)
    }
    await bench.close()
  })

  for (const [title, aheadMs, said] of [
    ['ahead of', 3_600_000, /3600 s ahead of/],
    ['behind', -60_000, /60 s behind/],
  ] as const)
    it(`finds a clock that is ${title} the database's`, async () => {
      await received()
      const { now } = Date
      Date.now = () => now() + aheadMs
      try {
        const { problems } = await doctor()
        expect(problems.find(({ check }) => check === 'clock')?.detail).to.match(said)
      } finally {
        Date.now = now
      }
    })
})
