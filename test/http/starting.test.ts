import { BookingWebhooksError } from '@booking-webhooks/core'
import { bookingWebhooks } from '@booking-webhooks/core/fetch'
import { expect } from 'chai'
import { collectedLog } from './support/collected-log.js'
import { body, sign, smallInbox } from './support/small-inbox.js'

const delivery = () =>
  new Request('http://localhost/small', { method: 'POST', body: body(1), headers: sign(body(1)) })

describe('an inbox behind a door', () => {
  it('is started at once, without a request', async () => {
    let starts = 0
    const webhooks = bookingWebhooks({
      ...smallInbox({ log: collectedLog().log }),
      async start() {
        starts += 1
      },
    })
    expect(starts).to.equal(1)
    expect((await webhooks(delivery())).status).to.equal(200)
    expect(starts).to.equal(1)
    await webhooks.close()
  })

  it('is waited for while it starts', async () => {
    const webhooks = bookingWebhooks({
      ...smallInbox({ log: collectedLog().log }),
      start: () => new Promise(started => setTimeout(started, 100)),
    })
    const answers = await Promise.all(Array.from({ length: 20 }, () => webhooks(delivery())))
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]))
    await webhooks.close()
  })

  it('is started again until that works, and says each time why it does not', async () => {
    const { log, lines } = collectedLog()
    const failures = [
      new BookingWebhooksError('SCHEMA_OUTDATED', 'The schema is outdated. Run booking-webhooks migrate.'),
      new Error('connect postgres://user:password@db.example.com'),
    ]
    const inbox = {
      ...smallInbox({ log }),
      async start() {
        const failure = failures.shift()
        if (failure) throw failure
      },
    }
    const webhooks = bookingWebhooks(inbox)
    let status = 0
    while (status !== 200) {
      status = (await webhooks(delivery())).status
      expect(status).to.be.oneOf([200, 503])
      await new Promise(wake => setTimeout(wake, 10))
    }
    expect(lines.filter(({ message }) => message === 'not started')).to.deep.equal([
      {
        level: 'error',
        message: 'not started',
        code: 'SCHEMA_OUTDATED',
        reason: 'The schema is outdated. Run booking-webhooks migrate.',
        attempt: 1,
      },
      { level: 'error', message: 'not started', code: null, reason: 'Error', attempt: 2 },
    ])
    await webhooks.close()
  })

  it('is not started again once it is closed', async () => {
    let starts = 0
    let closes = 0
    const webhooks = bookingWebhooks({
      ...smallInbox({ log: collectedLog().log }),
      async start() {
        starts += 1
        throw new Error('down')
      },
      async close() {
        closes += 1
      },
    })
    await webhooks.close()
    await new Promise(wake => setTimeout(wake, 600))
    expect([starts, closes]).to.deep.equal([1, 1])
  })

  it('answers 404 and 405 like any other while it is not started', async () => {
    const webhooks = bookingWebhooks({
      ...smallInbox({ log: collectedLog().log }),
      start: () => Promise.reject(new Error('down')),
    })
    const status = async (path: string, method: string) =>
      (await webhooks(new Request(`http://localhost${path}`, { method }))).status
    expect(await status('/other', 'POST')).to.equal(404)
    expect(await status('/small', 'GET')).to.equal(405)
    expect(await status('/small', 'POST')).to.equal(503)
    await webhooks.close()
  })
})
