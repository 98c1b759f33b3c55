import Database from 'better-sqlite3'
import { expect } from 'chai'
import { type Workbench, workbench } from '../support/workbench.js'

describe('a run whose end the database refuses', () => {
  let bench: Workbench
  afterEach(() => bench.close())

  it('is not repeated at once: its lane is kept until the lease runs out, and its neighbours are done', async () => {
    bench = workbench()
    await bench.inbox.start()
    refuseTheFirstEnd(bench.database)
    await bench.calendly({ event: 'invitee.created', invitee: { id: 'ada' } })
    await bench.calendly({ event: 'invitee.created', invitee: { id: 'grace' } })
    await bench.inbox.drain()
    expect(bench.toldInShort()).to.deep.equal(['booking.created ada', 'booking.created grace'])
    const { rows } = await bench.inbox.events()
    expect(rows.map(({ tells: [tell] }) => [tell?.status, tell?.attempts])).to.deep.equal([
      ['done', 1],
      ['pending', 1],
    ])
    expect(bench.lines.map(({ message }) => message)).to.include('tell failed')
  })
})

function refuseTheFirstEnd(file: string): void {
  const database = new Database(file)
  database.exec(`CREATE TRIGGER refuse BEFORE UPDATE OF status ON booking_webhooks_tells
    WHEN NEW.status = 'done' AND NEW.sequence = 1 BEGIN SELECT RAISE(ABORT, 'refused'); END`)
  database.close()
}
