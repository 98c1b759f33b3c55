import { connect, createServer, type Socket } from 'node:net'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { sharedGrounds } from '../support/ledgers.js'
import { signingKey, workbench } from '../support/workbench.js'
import { until } from './members.js'

for (const ground of sharedGrounds().filter(({ name }) => name !== 'SQLite'))
  describe(`when ${ground.name} goes away and comes back`, function () {
    this.timeout(90_000)

    it('nothing is lost, and the app goes on by itself', async () => {
      const ledger = await ground.open()
      const road = await roadTo(new URL(ledger.database))
      const bench = workbench({ database: road.url, dispatch: true, pollMs: 100, leaseMs: 2_000 })
      const book = (number: number) =>
        calendlyDelivery({
          key: signingKey,
          event: 'invitee.created',
          invitee: { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] },
        })
      try {
        expect((await bench.deliver(book(1))).status).to.equal(200)
        await until(() => bench.told.length === 1)

        road.cut()
        const refused = await bench.deliver(book(2))
        expect(refused.status, JSON.stringify(bench.lines.at(-1))).to.equal(503)
        expect(refused.headers).to.have.property('retry-after')

        road.mend()
        await until(async () => (await bench.deliver(book(2))).status === 200, 30_000)
        await until(() => bench.told.length === 2, 60_000)
        expect(bench.toldInShort()).to.deep.equal(['booking.created IN1', 'booking.created IN2'])
        await until(async () => (await bench.inbox.events({ status: 'done' })).rows.length === 2)
      } finally {
        road.mend()
        await bench.close()
        await road.close()
        await ledger.close()
      }
    })
  })

/** A way to the server that can be cut, as when it is stopped: connections break, and new ones are refused. */
async function roadTo(url: URL): Promise<{ url: string; cut(): void; mend(): void; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  let isCut = false
  const port = Number(url.port) || (url.protocol.startsWith('postgres') ? 5432 : 3306)
  const server = createServer(near => {
    if (isCut) return void near.destroy()
    const far = connect(port, url.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String(typeof address === 'object' && address ? address.port : 0)
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: through.href,
    cut,
    mend() {
      isCut = false
    },
    close: () => {
      cut()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
