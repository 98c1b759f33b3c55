import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { expectToldRightly } from '../property/told-rightly.js'
import { type Ground, type Ledger, sharedGrounds } from '../support/ledgers.js'
import { shortId, signingKey, workbench } from '../support/workbench.js'
import { lastRuns } from './last-runs.js'
import { type Member, type Note, post, scene, startMember, until } from './members.js'

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
      await Promise.race([first.gone, until(() => doneOf(stage.read()).length >= 6, 10_000).catch(() => {})])
    const isDone = !hasDied
    first.kill()
    await first.gone

    const second = member(false)
    const secondPort = await second.port
    for (const delivery of deliveries.slice(next))
      await until(async () => (await post(secondPort, delivery)) === 200)
    await until(async () => {
      const bench = workbench({ database, subscribers: {} })
      const { rows } = await bench.inbox.events()
      await bench.close()
      return rows.length >= deliveries.length && rows.every(row => row.status === 'done')
    }, 60_000)
    await second.stop()
    await check(stage, ledger)
    return { isDone }
  } finally {
    for (const one of members) one.kill()
    await Promise.all(members.map(({ gone }) => gone))
    await ledger.close()
    stage.remove()
  }
}

function doneOf(notes: Note[]): Note[] {
  return notes.filter(({ what }) => what === 'done')
}

async function check(stage: ReturnType<typeof scene>, { database, knex }: Ledger<string>): Promise<void> {
  const notes = stage.read()
  const runs = lastRuns(notes)
  const tells = await knex('booking_webhooks_tells')
  const laneOf = new Map(tells.map(row => [row.event_id as string, row.lane as string]))
  const inLane = (some: Note[], lane: string) => some.filter(({ event }) => laneOf.get(event ?? '') === lane)
  // Again at most where a run had not been written down as finished: one death, so one tell of each lane at the most.
  for (const lane of new Set(laneOf.values()))
    expect(inLane(doneOf(notes), lane).length - inLane(runs, lane).length, lane).to.be.at.most(1)
  expect(runs.map(({ event }) => event).sort()).to.deep.equal(tells.map(row => row.event_id).sort())

  const bench = workbench({ database, subscribers: {} })
  const { rows } = await bench.inbox.bookings()
  await bench.close()
  // Which of them were told on the way depends on whose lanes were left behind; how it ends does not.
  expectToldRightly(runs, rows)
  expect(rows.map(row => `${shortId(row.id)} ${row.status}`).sort()).to.deep.equal([
    'IN1 rescheduled',
    'IN1b confirmed',
    'xIN1 canceled',
    'xIN2 confirmed',
  ])
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
            points.length = 0
            throw new Error(`dying at step ${point}: ${(error as Error).message}`, { cause: error })
          }
          deaths += 1
        }
      }
      await Promise.all([next(), next(), next()])
      expect(isDone, 'a run that outlived the story').to.equal(true)
      // How many steps there are before the story's end differs from database to database.
      expect(deaths).to.be.above(isLong ? 100 : 2)
    })
  })
