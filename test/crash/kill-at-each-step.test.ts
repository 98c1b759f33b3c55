import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { type Ground, sharedGrounds } from '../support/ledgers.js'
import { shortId, signingKey, workbench } from '../support/workbench.js'
import { type Member, post, scene, startMember, until } from './members.js'

/** How many steps the story takes at the most; the test fails if a run gets this far without dying. */
const mostSteps = 400

/**
 * A booking, its reschedule and a clash for a slot, told by one process that dies at its nth step and by one that comes after it.
 * The provider sends again what was not answered.
 */
async function playWithDeathAt(dieAt: number, ground: Ground<string>): Promise<{ isDone: boolean }> {
  const stage = scene()
  const ledger = await ground.open()
  const { database } = ledger
  const members: Member[] = []
  const member = (dies: boolean): Member => {
    const started = startMember({
      database,
      signingKey,
      notes: stage.notes,
      receives: true,
      works: true,
      leaseMs: 1_000,
      ...(dies ? { dieAt } : {}),
    })
    members.push(started)
    return started
  }
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 48 * 3_600_000)
  const deliveries = [
    ...calendlyStories.reschedule({ key: signingKey, startsAt }),
    ...calendlyStories['double-booking']({ key: signingKey, startsAt, prefix: 'x' }),
  ]
  try {
    const first = member(true)
    let hasDied = false
    void first.gone.then(() => {
      hasDied = true
    })
    const port = await first.port.catch(() => null)
    let next = 0
    while (port !== null && !hasDied && next < deliveries.length)
      if ((await post(port, deliveries[next]!)) === 200) next += 1
      else if (!hasDied) await Promise.race([first.gone, new Promise(resolve => setTimeout(resolve, 50))])
    if (!hasDied && next === deliveries.length)
      await Promise.race([first.gone, until(() => doneOf(stage.read()).length >= 6, 5_000).catch(() => {})])
    const isDone = !hasDied
    first.kill()
    await first.gone

    const second = member(false)
    const secondPort = await second.port
    for (const delivery of deliveries.slice(next))
      await until(async () => (await post(secondPort, delivery)) === 200)
    await until(() => new Set(doneOf(stage.read())).size >= 6)
    await until(async () => {
      const bench = workbench({ database, subscribers: {} })
      const { rows } = await bench.inbox.events()
      await bench.close()
      return rows.every(row => row.status === 'done')
    })
    await second.stop()
    await check(stage, database)
    return { isDone }
  } finally {
    for (const one of members) one.kill()
    await Promise.all(members.map(({ gone }) => gone))
    await ledger.close()
    stage.remove()
  }
}

function doneOf(notes: { what: string; type: string; booking: string }[]): string[] {
  return notes.filter(note => note.what === 'done').map(note => `${note.type} ${shortId(note.booking)}`)
}

async function check(stage: ReturnType<typeof scene>, database: string): Promise<void> {
  const notes = stage.read()
  const finished = [...new Set(doneOf(notes))]
  expect(finished.sort()).to.deep.equal([
    'booking.canceled xIN1',
    'booking.conflict xIN2',
    'booking.created IN1',
    'booking.created xIN1',
    'booking.created xIN2',
    'booking.rescheduled IN1b',
  ])
  // Again at most where a run had not been written down as finished: one death, so one tell at the most.
  const again = notes.filter(note => note.what === 'done').length - finished.length
  expect(again).to.be.at.most(1)
  const order = doneOf(notes)
  expect(order.indexOf('booking.created IN1')).to.be.below(order.indexOf('booking.rescheduled IN1b'))
  expect(order.indexOf('booking.conflict xIN2')).to.be.below(order.indexOf('booking.created xIN2'))

  const bench = workbench({ database, subscribers: {} })
  const { rows } = await bench.inbox.bookings()
  expect(rows.map(row => `${shortId(row.id)} ${row.status}`).sort()).to.deep.equal([
    'IN1 rescheduled',
    'IN1b confirmed',
    'xIN1 canceled',
    'xIN2 confirmed',
  ])
  const events = (await bench.inbox.events()).rows
  expect(events.every(row => row.status === 'done')).to.equal(true)
  await bench.close()
}

const isLong = process.env.TEST_LONG === '1'

for (const ground of sharedGrounds())
  describe(`a process that is killed with kill -9 (${ground.name})`, () => {
    it('at any step loses nothing, and runs again at most what had not finished', async function () {
      this.timeout(isLong ? 1_800_000 : 180_000)
      // All steps in the long form; in the short one a stride that changes from run to run, so that all are met in time.
      const stride = isLong ? 1 : 29
      const offset = isLong ? 0 : Math.floor(Date.now() / 1000) % stride
      let deaths = 0
      const points = Array.from(
        { length: Math.ceil((mostSteps - offset) / stride) },
        (_, index) => offset + index * stride,
      )
      let isDone = false
      const next = async (): Promise<void> => {
        for (let point = points.shift(); point !== undefined && !isDone; point = points.shift()) {
          try {
            const played = await playWithDeathAt(point, ground)
            isDone ||= played.isDone
          } catch (error) {
            throw new Error(`dying at step ${point}: ${(error as Error).message}`, { cause: error })
          }
          deaths += 1
        }
      }
      await Promise.all([next(), next(), next()])
      expect(isDone, 'a run that outlived the story').to.equal(true)
      expect(deaths).to.be.above(isLong ? 100 : 3)
    })
  })
