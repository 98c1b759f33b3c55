import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { BookingWebhooksError, createInbox, jsonLog, type NewEvent } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { body, sign } from '../http/support/ground.js'
import { received } from '../support/received.js'
import { signingKey } from '../support/workbench.js'

describe('events that arrive together', () => {
  it('share a commit', async () => {
    const { sizes, send } = await inboxThat(() => null)
    expect(await send(1, 2, 3, 4)).to.deep.equal([200, 200, 200, 200])
    expect(sizes).to.deep.equal([4])
  })

  it('while a commit runs go into the next one', async () => {
    const { receive, release, sizes, close } = await inboxThatWaits()
    const first = receive(body(1))
    while (sizes.length === 0) await nextTurn()
    const others = [2, 3, 4].map(n => receive(body(n)))
    release()
    const replies = await Promise.all([first, ...others])
    expect(replies.map(reply => reply?.status)).to.deep.equal([200, 200, 200, 200])
    expect(sizes).to.deep.equal([1, 3])
    await close()
  })

  it('are stored one by one where the store refuses their batch, so that one bad row hurts nobody', async () => {
    const { sizes, send } = await inboxThat(ids =>
      ids.some(id => id.endsWith('IN3')) ? 'STORE_REFUSED' : null,
    )
    expect(await send(1, 2, 3, 4)).to.deep.equal([200, 200, 503, 200])
    expect(sizes).to.deep.equal([4, 1, 1, 1, 1])
  })

  it('ask a store that is down once for all', async () => {
    const { sizes, send } = await inboxThat(() => 'STORE_UNAVAILABLE')
    expect(await send(1, 2, 3, 4)).to.deep.equal([503, 503, 503, 503])
    expect(sizes).to.deep.equal([4])
  })

  it('are asked to come again where more wait than fits into memory, and the others are stored', async () => {
    const { receive, release, count, close } = await inboxThatWaits()
    const title = 'x'.repeat(1_000_000)
    // 64 MiB, by the bodies' sizes.
    const bodies = Array.from({ length: 70 }, (_, n) => large(n, title))
    const replies = bodies.map(receive)
    const refused = await Promise.all(replies.slice(66))
    expect(refused.map(reply => [reply?.status, reply?.headers['retry-after']])).to.deep.equal(
      Array(4).fill([503, '5']),
    )
    release()
    const stored = await Promise.all(replies.slice(0, 66))
    expect(stored.map(reply => reply?.status)).to.deep.equal(Array(66).fill(200))
    expect(await count()).to.equal(66)
    await close()
  })

  it('are asked to come again after five seconds where the store hangs', async function () {
    this.timeout(30_000)
    const { receive, release, sizes, close } = await inboxThatWaits()
    const first = receive(body(1))
    while (sizes.length === 0) await nextTurn()
    const replies = await Promise.all([first, ...[2, 3].map(n => receive(body(n)))])
    expect(replies.map(reply => [reply?.status, reply?.headers['retry-after']])).to.deep.equal(
      Array(3).fill([503, '5']),
    )
    release()
    expect((await receive(body(4)))?.status).to.equal(200)
    await close()
  })

  it('are stored although the commit before them hangs, once its own time is up', async function () {
    this.timeout(30_000)
    const { receive, release, sizes, count, close } = await inboxThatWaits({ onlyFirst: true })
    const hanging = [receive(body(1)), receive(body(2))]
    while (sizes.length === 0) await nextTurn()
    await delay(2_000)
    const behind = receive(body(3))
    expect((await Promise.all(hanging)).map(reply => reply?.status)).to.deep.equal([503, 503])
    expect((await behind)?.status).to.equal(200)
    expect(await Promise.all([4, 5].map(async n => (await receive(body(n)))?.status))).to.deep.equal([
      200, 200,
    ])
    // Late, what hung is stored after all, and what comes again is a repeat of it.
    release()
    expect((await receive(body(1)))?.status).to.equal(200)
    expect(await count()).to.equal(5)
    expect(sizes).to.deep.equal([2, 1, 2, 1])
    await close()
  })

  it('hold up the closing of their inbox for no longer than they wait themselves', async function () {
    this.timeout(30_000)
    const { receive, sizes, close } = await inboxThatWaits({ onlyFirst: true })
    const hanging = receive(body(1))
    while (sizes.length === 0) await nextTurn()
    const behind = receive(body(2))
    const began = performance.now()
    await close()
    expect(performance.now() - began).to.be.below(7_000)
    expect((await hanging)?.status).to.equal(503)
    expect((await behind)?.status).to.be.oneOf([200, 503])
  })
})

function large(number: number, title: string): Uint8Array {
  const invitee = { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] }
  return calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee, payload: { title } }).body
}

/** An inbox whose store stores nothing before `release`, or does not store the first batch before it. */
async function inboxThatWaits({ onlyFirst = false } = {}) {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const { inbox, sizes, close } = await inboxWhere(async () => {
    if (!onlyFirst || sizes.length === 1) await released
  })
  return {
    sizes,
    close,
    release: () => release(),
    receive: (bytes: Uint8Array) => inbox.receive('calendly', request(bytes)),
    count: async () => (await inbox.events({}, { limit: 100 })).rows.length,
  }
}

/** An inbox whose store fails for some batches, by the ids of their bookings. `send` answers with the statuses of n requests at once. */
async function inboxThat(failsWith: (ids: string[]) => 'STORE_REFUSED' | 'STORE_UNAVAILABLE' | null) {
  const { inbox, sizes, close } = await inboxWhere(async events => {
    const code = failsWith(events.map(({ bookingId }) => bookingId ?? ''))
    if (code) throw new BookingWebhooksError(code, 'No.')
  })
  return {
    sizes,
    send: async (...numbers: number[]) => {
      const replies = await Promise.all(numbers.map(n => inbox.receive('calendly', request(body(n)))))
      await close()
      return replies.map(reply => reply?.status)
    },
  }
}

/** An inbox whose store stores a batch once `comesFirst` is through, and the sizes of the batches that it got. */
async function inboxWhere(comesFirst: (events: NewEvent[]) => Promise<void>) {
  const store = knexStore(':memory:')
  const sizes: number[] = []
  const record = async (events: NewEvent[]) => {
    sizes.push(events.length)
    await comesFirst(events)
    return store.record(events)
  }
  const inbox = createInbox({
    providers: [calendly({ signingKey })],
    store: { ...store, record },
    dispatch: false,
    log: jsonLog(() => {}),
  })
  await inbox.start()
  const close = async () => {
    await inbox.close()
    await store.close()
  }
  return { inbox, sizes, close }
}

const request = (bytes: Uint8Array) => received({ headers: sign(bytes), body: bytes })
