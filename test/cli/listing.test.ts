import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calendlyStories } from '@booking-webhooks/calendly/testing'
import type { BookingRow, EventRow } from '@booking-webhooks/core'
import { expect } from 'chai'
import { signingKey, workbench } from '../support/workbench.js'
import { runHere } from './run-here.js'

const people = ['one', 'two', 'three']

describe('booking-webhooks events and bookings', () => {
  let directory: string
  let database: string

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-listing-'))
    database = join(directory, 'test.db')
    const bench = workbench({ database })
    for (const prefix of people)
      for (const delivery of calendlyStories['double-booking']({
        key: signingKey,
        prefix: `${prefix}-`,
      }).slice(0, 2))
        await bench.deliver(delivery)
    await bench.inbox.drain()
    await bench.close()
  })
  after(() => rmSync(directory, { recursive: true, force: true }))

  const listed = async <Row>(...args: string[]): Promise<Row[]> => {
    const { code, stdout } = await runHere([...args, '--json', '--database', database])
    expect(code).to.equal(0)
    return stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  }
  const events = (...args: string[]) => listed<EventRow>('events', ...args)
  const bookings = (...args: string[]) => listed<BookingRow>('bookings', ...args)

  it('lists the ledger, newest first', async () => {
    const rows = await events()
    expect(rows).to.have.length(9)
    const arrived = rows.filter(row => row.type !== 'booking.conflict')
    expect(arrived.map(row => row.receivedAt)).to.deep.equal(
      arrived
        .map(row => row.receivedAt)
        .sort()
        .reverse(),
    )
    expect(rows[0]).to.include.keys(
      ...['id', 'type', 'provider', 'account', 'providerType', 'bookingId', 'meetingId', 'occurredAt'],
      ...[
        'receivedAt',
        'deliveries',
        'status',
        'outcome',
        'reason',
        'attempts',
        'lastError',
        'replays',
        'tells',
      ],
    )
  })

  it('lists only what the filter lets through', async () => {
    expect(await events('--outcome', 'conflict')).to.have.length(3)
    expect(await events('--status', 'waiting')).to.have.length(3)
    expect(await events('--type', 'booking.conflict')).to.have.length(3)
    expect(await events('--provider', 'acuity')).to.have.length(0)
    const [{ id, bookingId }] = await events(
      '--outcome',
      'accepted',
      '--type',
      'booking.created',
      '--limit',
      '1',
    )
    expect(await events('--event', id)).to.have.length(1)
    expect(await events('--booking', bookingId!)).to.have.length(1)
  })

  it('lists by the time of arrival or of the event', async () => {
    const rows = await events()
    expect(await events('--from', rows[0].receivedAt)).to.not.be.empty
    expect(await events('--to', rows.at(-1)!.receivedAt)).to.be.empty
    const [first] = rows.map(row => row.occurredAt!).sort()
    const occurred = await events('--by', 'occurred', '--to', first.replace(/.{4}Z$/, '9999Z'))
    expect(occurred).to.have.length(
      rows.filter(row => row.occurredAt! < first.replace(/.{4}Z$/, '9999Z')).length,
    )
    expect(await events('--from', '2020-01-01', '--to', '2020-01-02')).to.be.empty
  })

  it('lists as many as asked for', async () => {
    const all = (await events('--all')).map(row => row.id)
    expect((await events('--limit', '2')).map(row => row.id)).to.deep.equal(all.slice(0, 2))
  })

  it('lists more than a page, each once', async () => {
    const bench = workbench({ database: join(directory, 'long.db') })
    const deliveries = Array.from({ length: 510 }, (_, index) =>
      calendlyStories.unknown({ key: signingKey, prefix: `${index}-` }),
    )
    await Promise.all(deliveries.flat().map(delivery => bench.deliver(delivery)))
    await bench.close()
    const { stdout } = await runHere(['events', '--all', '--json', '--database', join(directory, 'long.db')])
    const ids = stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line).id)
    expect([ids.length, new Set(ids).size]).to.deep.equal([510, 510])
  })

  it('lists the bookings as stored', async () => {
    const rows = await bookings()
    expect(rows).to.have.length(6)
    expect(await bookings('--status', 'conflict')).to.have.length(3)
    const [row] = await bookings('--status', 'confirmed', '--limit', '1')
    expect(await bookings('--booking', row.id)).to.deep.equal([row])
    expect(row.attendee).to.deep.equal({ name: 'Ann Example', email: 'ann@example.com' })
  })

  it('shows a person a table', async () => {
    const shown = await runHere(['bookings', '--database', database])
    expect(shown.stdout).to.match(/^starts +status +attendee +provider +account +changed +booking\n/)
    expect(shown.stdout).to.contain('conflict')
    expect((await runHere(['events', '--database', database])).stdout).to.contain('booking.conflict')
  })

  it('says so, on standard error, where there is nothing', async () => {
    const { code, stdout, stderr } = await runHere(['events', '--database', database, '--account', 'nobody'])
    expect([code, stdout, stderr]).to.deep.equal([0, '', 'No events.\n'])
  })

  it('makes no database where there is none', async () => {
    const missing = join(directory, 'missing.db')
    for (const args of [['events'], ['bookings'], ['dead'], ['replay'], ['explain', 'any']]) {
      const { code, stderr } = await runHere([...args, '--database', missing])
      expect([code, stderr.includes('There is no database')]).to.deep.equal([1, true])
    }
    expect(existsSync(missing)).to.equal(false)
  })

  for (const [title, args] of [
    ['a time without its zone', ['events', '--from', '2027-03-01T09:00:00']],
    ['an outcome that is none', ['events', '--outcome', 'fine']],
    ['a limit that is none', ['bookings', '--limit', '-1']],
    ['an argument too many', ['events', 'all']],
  ] as const)
    it(`is used wrongly with ${title}`, async () => {
      expect((await runHere([...args, '--database', database])).code).to.equal(2)
    })
})

describe('booking-webhooks migrate', () => {
  it('says whether the schema is up to date, and brings it there', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-migrate-'))
    const at = ['--database', join(directory, 'test.db')]
    const codes = []
    for (const args of [['migrate', '--check'], ['events'], ['migrate'], ['migrate', '--check'], ['events']])
      codes.push((await runHere([...args, ...at])).code)
    const { stdout } = await runHere(['migrate', '--json', ...at])
    rmSync(directory, { recursive: true })
    expect(codes).to.deep.equal([1, 1, 0, 0, 0])
    expect(JSON.parse(stdout)).to.include({ isCurrent: true })
  })

  it('makes no file to check it, and says in its own words what is missing', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-migrate-'))
    const file = join(directory, 'test.db')
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await runHere([...args, '--database', file])
      return [code, `${stdout}${stderr}`]
    }
    const [code, words] = await said('migrate', '--check')
    expect([code, existsSync(file)]).to.deep.equal([1, false])
    expect(words).to.contain(`There is no database ${file}`)
    writeFileSync(file, '')
    const [outdated, advice] = await said('events')
    rmSync(directory, { recursive: true })
    expect(outdated).to.equal(1)
    expect(advice).to.match(
      /^booking-webhooks: The schema is at version 0, .* Run booking-webhooks migrate\.\n$/,
    )
  })

  it('exits 1 where the database cannot be reached', async () => {
    const { code, stderr } = await runHere(['migrate', '--database', '/nonexistent/directory/test.db'])
    expect(code).to.equal(1)
    expect(stderr).to.match(/^booking-webhooks: /)
  })
})
