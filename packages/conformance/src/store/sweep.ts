import { deepEqual, equal } from 'node:assert/strict'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, claimOne, newEvent, settleLane, tellLane } from './events.js'
import { ask, settleAll } from './reserving.js'
import { tellOf } from './settling.js'

/** The sweep: finds what should not be, and says so. */
export function sweepContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('the sweep', () => {
    it(
      'finds nothing where nothing is wrong',
      on(async ({ store }) => {
        await store.record([newEvent('a'), newEvent('b'), newEvent('c')])
        const [first] = await claim(store, 'settle', { limit: 2 })
        if (first) await store.release(first, { to: 'later', afterMs: 60_000, failures: 1 })
        await tellOf(store, 'told', ['calendar'])
        deepEqual(await store.sweep(), { lanes: 0, waiting: 0 })
      }),
    )

    it(
      'makes idle lanes due that have work',
      on(async ({ store, probe }) => {
        await tellOf(store, 'told', ['calendar'])
        await store.record([newEvent('a')])
        await probe.strand(settleLane('booking of a'))
        await probe.strand(tellLane('calendar', 'booking of told'))
        deepEqual([await claim(store), await claim(store, 'tell')], [[], []])
        deepEqual(await store.sweep(), { lanes: 2, waiting: 0 })
        equal((await claimOne(store)).key, settleLane('booking of a'))
        equal((await claimOne(store, 'tell')).key, tellLane('calendar', 'booking of told'))
      }),
    )

    it(
      'lets a lane go that waits after an idle one',
      on(async ({ store, probe }) => {
        const [older, younger] = [tellLane('calendar', 'O'), tellLane('calendar', 'Y')]
        await tellOf(store, '1', ['calendar'], { thread: 'Y' })
        await tellOf(store, '2', ['calendar'], { thread: 'O', laneJoins: [{ older, younger }] })
        const young = await claimOne(store, 'tell')
        for (const tell of await store.pendingTells(young, 10)) {
          await store.beginAttempt(young, tell)
          await store.endAttempt(young, tell, { is: 'done' })
        }
        await probe.strand(younger)
        deepEqual(await store.sweep(), { lanes: 1, waiting: 0 })
        equal((await claimOne(store, 'tell')).key, older)
      }),
    )

    for (const [whose, meetingOf] of [
      ['', (booking: string) => `meeting of ${booking}`],
      [', also where a booking is its own meeting', () => null],
    ] as const)
      it(
        `wakes who waits for a slot that is free, and nobody else${whose}`,
        on(async ({ store, probe }) => {
          for (const booking of ['holder', 'waiter']) {
            await ask(store, { do: 'reserve', booking, meeting: meetingOf(booking), startsUs: farUs })
            await settleAll(store)
          }
          deepEqual(await store.sweep(), { lanes: 0, waiting: 0 })
          await probe.freeSlots()
          deepEqual(await store.sweep(), { lanes: 0, waiting: 1 })
          await settleAll(store)
          equal((await probe.slots())[0]?.meetingId, meetingOf('waiter') ?? 'waiter')
        }),
      )
  })
}

/** The year 2100: a booking that is over is not waited for. */
const farUs = 4_102_444_800_000_000
