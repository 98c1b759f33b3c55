import { calendly } from '@booking-webhooks/calendly'
import { BookingWebhooksError, createInbox, jsonLog, type NewEvent } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { body, sign } from '../http/support/ground.js'
import { signingKey } from '../support/workbench.js'

describe('events that arrive together', () => {
  it('share a commit: what arrives while one runs goes into the next one', async () => {
    const { sizes, send } = await inboxThat(() => null)
    expect(await send(1, 2, 3, 4)).to.deep.equal([200, 200, 200, 200])
    expect(sizes).to.deep.equal([1, 3])
  })

  it('are stored one by one where the store refuses their batch, so that one bad row hurts nobody', async () => {
    const { sizes, send } = await inboxThat(ids =>
      ids.some(id => id.endsWith('IN3')) ? 'STORE_REFUSED' : null,
    )
    expect(await send(1, 2, 3, 4)).to.deep.equal([200, 200, 503, 200])
    expect(sizes).to.deep.equal([1, 3, 1, 1, 1])
  })

  it('ask a store that is down once for all', async () => {
    const { sizes, send } = await inboxThat(() => 'STORE_UNAVAILABLE')
    expect(await send(1, 2, 3, 4)).to.deep.equal([503, 503, 503, 503])
    expect(sizes).to.deep.equal([1, 3])
  })
})

/** An inbox whose store fails for some batches, by the ids of their bookings. `send` answers with the statuses of n requests at once. */
async function inboxThat(failsWith: (ids: string[]) => 'STORE_REFUSED' | 'STORE_UNAVAILABLE' | null) {
  const store = knexStore(':memory:')
  const sizes: number[] = []
  const record = async (events: NewEvent[]) => {
    sizes.push(events.length)
    const code = failsWith(events.map(({ bookingId }) => bookingId ?? ''))
    if (code) throw new BookingWebhooksError(code, 'No.')
    return store.record(events)
  }
  const inbox = createInbox({
    providers: [calendly({ signingKey })],
    store: { ...store, record },
    dispatch: false,
    log: jsonLog(() => {}),
  })
  await inbox.start()
  return {
    sizes,
    send: async (...numbers: number[]) => {
      const replies = await Promise.all(
        numbers.map(n =>
          inbox.receive('calendly', {
            method: 'POST',
            publicUrl: null,
            headers: new Headers(sign(body(n))),
            body: body(n),
            receivedAt: new Date(),
            account: 'default',
          }),
        ),
      )
      await inbox.close()
      await store.close()
      return replies.map(reply => reply?.status)
    },
  }
}
