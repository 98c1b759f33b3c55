import { join } from 'node:path'
import { calcomDelivery } from '@booking-webhooks/calcom/testing'
import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { post, scene, until } from '../crash/members.js'
import { freePort, run } from './running.js'

describe('the example express-sqlite', () => {
  it('shows the meetings of two providers in one calendar', async () => {
    const { directory, remove } = scene()
    const port = await freePort()
    const app = run('express-sqlite/app.js', {
      CALENDLY_SIGNING_KEY: 'a-signing-key-for-tests',
      CALCOM_WEBHOOK_SECRET: 'a-secret-for-tests',
      DATABASE_URL: join(directory, 'bookings.db'),
      CALENDAR: join(directory, 'calendar.db'),
      PORT: String(port),
    })
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    try {
      await app.says('listening')
      const moved = calendlyStories.reschedule({ key: 'a-signing-key-for-tests' })
      for (const delivery of [...moved, ...moved])
        await until(async () => (await post(port, delivery)) === 200)
      const other = calcomDelivery({ key: 'a-secret-for-tests', trigger: 'BOOKING_CREATED' })
      expect(await post(port, { ...other, headers: {} })).to.equal(401)
      await until(async () => (await post(port, other)) === 200)

      await until(async () => JSON.parse(await get('/calendar')).length === 2)
      expect(await get('/healthz')).to.equal('ok')
      expect(app.said().match(/mail to/g)).to.have.length(2)
    } finally {
      await app.stop()
      remove()
    }
  }).timeout(60_000)
})
