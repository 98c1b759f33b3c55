import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { type EventFilter, identify } from '@booking-webhooks/core'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'
import { type Diary, delivered, diary, written } from './diary.js'

const firstUs = Date.UTC(2033, 4, 18, 3, 33, 20) * 1000
const secondUs = firstUs + 3_600_000_000

describe('a replay of what was not told', () => {
  let bench: Workbench
  let notes: Diary
  beforeEach(() => {
    notes = diary()
    bench = workbench({ providers: [notes.adapter] })
  })
  afterEach(() => bench.close())

  const deliver = async (...deliveries: Parameters<Workbench['deliver']>[0][]): Promise<void> => {
    for (const delivery of deliveries) {
      expect((await bench.deliver(delivery)).status).to.equal(200)
      await bench.inbox.drain()
    }
  }
  const replay = async (filter: EventFilter = {}): Promise<void> => {
    bench.told.length = 0
    await bench.inbox.replay(filter)
    await bench.inbox.drain()
    const [row] = await bench.inbox.replays()
    expect(row).to.include({ state: 'done', done: row!.scope.events })
  }
  const ledger = async () => {
    const { rows } = await bench.inbox.events()
    return rows.map(row => `${row.bookingId ?? '–'} ${row.outcome ?? row.status}`).reverse()
  }

  it('reads the bytes of an unreadable row again: what is found gets rows under keys of its own', async () => {
    await deliver(delivered('two: A, B'))
    expect(await ledger()).to.deep.equal(['– unreadable'])
    await replay()
    expect(await ledger(), 'the adapter is as it was').to.deep.equal(['– unreadable'])
    notes.read = () => [
      { key: 'a', booking: 'A', startsUs: 1 },
      { key: 'b', booking: 'B', startsUs: 2 },
    ]
    await replay()
    expect(await ledger()).to.deep.equal(['– unchanged', 'A accepted', 'B accepted'])
    expect(bench.told.map(({ event, context }) => [event.id, context.replay]).sort()).to.deep.equal(
      ['a', 'b'].map(key => [identify('diary', 'default', key).id, false]).sort(),
    )
    // A retry of the provider is a repeat of what the replay found.
    await deliver(delivered('two: A, B'))
    expect((await bench.inbox.events({ booking: 'A' })).rows[0]).to.include({ deliveries: 2 })
    await replay()
    expect(bench.told, 'told again as what it is').to.have.length(2)
  })

  it('puts what was unreadable under its own key in its place', async () => {
    notes.read = () => [{ key: 'a', booking: 'A' }]
    const { interpret } = notes.adapter
    notes.adapter.interpret = () => {
      throw new Error('a bug')
    }
    await deliver(delivered('A'))
    expect(await ledger()).to.deep.equal(['A unreadable'])
    notes.adapter.interpret = interpret
    await replay()
    expect(await ledger()).to.deep.equal(['A accepted'])
    expect(bench.toldInShort()).to.deep.equal(['booking.created A'])
  })

  it('fetches again what the API did not answer, as if it came now', async () => {
    notes.fetch = () => {
      throw new Error('down')
    }
    await deliver(written({ key: 'a', booking: 'A' }))
    const [dead] = (await bench.inbox.events({ status: 'dead' })).rows
    expect(dead).to.include({ lastError: 'The diary does not answer.', outcome: null })
    notes.fetch = () => ({ is: 'there' })
    await replay()
    expect(await ledger()).to.deep.equal(['A accepted'])
    expect((await bench.inbox.events({ status: 'dead' })).rows).to.deep.equal([])
    expect(notes.asked).to.equal(2)
  })

  it('tells what was ignored once somebody takes its type', async () => {
    const deaf = workbench({
      database: bench.database,
      providers: [notes.adapter],
      on: { 'booking.created': null },
    })
    expect((await deaf.deliver(written({ key: 'n' }))).status).to.equal(200)
    await deaf.inbox.drain()
    await deaf.close()
    expect(await ledger()).to.deep.equal(['– ignored'])
    await replay()
    expect(await ledger()).to.deep.equal(['– accepted'])
    expect(bench.toldInShort()).to.deep.equal(['provider.note note'])
  })

  it('decides again what was decided against, and stays silent where the decision stands', async () => {
    await deliver(
      written({ key: 'cancel', kind: 'canceled', booking: 'A', atUs: 2_000 }),
      written({ key: 'create', kind: 'created', booking: 'A', atUs: 1_000 }),
      written({ key: 'late', kind: 'created', booking: 'A', atUs: 3_000 }),
    )
    const before = await ledger()
    expect(before).to.deep.equal(['A accepted', 'A refused', 'A refused'])
    await replay()
    expect(await ledger()).to.deep.equal(before)
    expect(bench.toldInShort()).to.deep.equal(['booking.canceled A'])
    expect((await bench.inbox.bookings()).rows.map(row => row.status)).to.deep.equal(['canceled'])
    expect((await bench.inbox.replays())[0]!.counts).to.include({ told: 1, decided: 2 })
  })

  it('puts what a repaired adapter makes of it in the old place in the order, and folds again', async () => {
    notes.kindOf = () => 'created'
    await deliver(
      written({ key: 'one', booking: 'A', atUs: 1_000, startsUs: firstUs }),
      // A move that the adapter of the day took for the same create again.
      written({ key: 'two', booking: 'A', kind: 'moved', atUs: 2_000, startsUs: secondUs }),
      written({ key: 'three', booking: 'B', atUs: 3_000, startsUs: firstUs }),
    )
    expect(await ledger()).to.deep.equal(['A accepted', 'A unchanged', 'B conflict', 'B accepted'])
    notes.kindOf = ({ kind }) => kind ?? 'created'
    await replay({ outcome: 'unchanged' })
    expect(await ledger()).to.deep.equal(['A accepted', 'A accepted', 'B accepted', 'B accepted'])
    expect(bench.toldInShort().sort()).to.deep.equal(['booking.created B', 'booking.rescheduled A'])
    const { rows } = await bench.inbox.bookings()
    expect(rows.map(row => `${row.id} ${row.status} ${row.startsAt}`).sort()).to.deep.equal([
      'A confirmed 2033-05-18T04:33:20.000000Z',
      'B confirmed 2033-05-18T03:33:20.000000Z',
    ])
  })

  it('never asks the API again about what was settled, nor moves it in the order', async () => {
    notes.fetch = () => ({ is: 'there' })
    await deliver(
      written({ key: 'one', booking: 'A', atUs: null }),
      written({ key: 'two', booking: 'A', atUs: null, kind: 'canceled' }),
      written({ key: 'three', booking: 'A', atUs: null }),
    )
    const before = await ledger()
    expect(before).to.deep.equal(['A accepted', 'A accepted', 'A refused'])
    const asked = notes.asked
    const [late] = (await bench.inbox.events({ outcome: 'refused' })).rows
    await replay()
    expect(notes.asked).to.equal(asked)
    expect(await ledger()).to.deep.equal(before)
    expect((await bench.inbox.events({ outcome: 'refused' })).rows[0]!.occurredAt).to.equal(late!.occurredAt)
  })

  it('leaves alone what waits for its slot', async () => {
    await bench.close()
    bench = workbench()
    const [ann, bob, cancel] = calendlyStories['double-booking']({ key: signingKey })
    await deliver(ann!, bob!)
    await bench.inbox.replay({})
    await bench.inbox.drain()
    bench.told.length = 0
    await deliver(cancel!)
    expect(bench.toldInShort()).to.deep.equal(['booking.canceled IN1', 'booking.created IN2'])
  })
})
