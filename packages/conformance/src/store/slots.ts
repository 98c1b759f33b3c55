import { deepEqual, equal } from 'node:assert/strict'
import type { Store } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { account, nineUs, provider } from './events.js'
import { ask, type Reservation, settleAll } from './reserving.js'

const rounds = Array.from({ length: 10 }, (_, round) => round)

/** Slots: the database lets no two meetings have one, and loses none. */
export function slotContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('a slot', () => {
    it(
      'goes to one of twenty that want it at once; the others wait',
      on(async ({ store, another, probe }) => {
        await ask(store, ...Array.from({ length: 20 }, (_, index) => reserve(`${index}`)))
        await settleAll(store, await another())
        const [held, ...more] = await probe.slots()
        deepEqual(
          [held, more],
          [{ resource: 'host', startsUs: nineUs, provider, account, meetingId: held?.meetingId }, []],
        )
        equal(await probe.count('waiting'), 19)
        equal((await inStatus(store, 'waiting')).length, 19)
        deepEqual(await store.sweep(), { lanes: 0, waiting: 0 })
      }),
    )

    it(
      'is another one for another resource, another microsecond, another case or a trailing blank',
      on(async ({ store, probe }) => {
        await ask(
          store,
          reserve('A'),
          reserve('B', { startsUs: nineUs + 1 }),
          reserve('C', { resources: ['HOST'] }),
          reserve('D', { resources: ['host '] }),
        )
        await settleAll(store)
        equal((await probe.slots()).length, 4)
      }),
    )

    it(
      'is shared by the bookings of one meeting, and free when the last two leave at once',
      on(async ({ store, another, probe }) => {
        const seats = rounds.flatMap(round =>
          [1, 2].map(seat =>
            reserve(`seat ${seat} of ${round}`, { meeting: `${round}`, startsUs: nineUs + round }),
          ),
        )
        await ask(store, ...seats)
        await settleAll(store)
        equal((await probe.slots()).length, rounds.length)
        await ask(store, ...seats.map(({ booking }) => cancel(booking)))
        await settleAll(store, await another())
        deepEqual(await probe.slots(), [])
      }),
    )

    it(
      'is taken or waited for, never lost, when one comes as the holder goes',
      on(async ({ store, another, probe }) => {
        const at = (round: number) => ({ startsUs: nineUs + round })
        await ask(store, ...rounds.map(round => reserve(`holder ${round}`, at(round))))
        await settleAll(store)
        await ask(
          store,
          ...rounds.flatMap(round => [cancel(`holder ${round}`), reserve(`comer ${round}`, at(round))]),
        )
        await settleAll(store, await another())
        deepEqual(
          (await probe.slots()).map(({ meetingId }) => meetingId),
          rounds.map(round => `meeting of comer ${round}`),
        )
        deepEqual([await probe.count('waiting'), await inStatus(store, 'waiting')], [0, []])
        deepEqual(await store.sweep(), { lanes: 0, waiting: 0 })
      }),
    )

    it(
      'blocks nobody in a swap: each round two want the same two resources in opposite order',
      on(async ({ store, another, probe }) => {
        const both = (booking: string, resources: string[], round: number) =>
          reserve(booking, { resources, startsUs: nineUs + round })
        await ask(
          store,
          ...rounds.flatMap(round => [
            both(`forth ${round}`, ['host', 'room'], round),
            both(`back ${round}`, ['room', 'host'], round),
          ]),
        )
        await settleAll(store, await another())
        const held = await probe.slots()
        for (const round of rounds) {
          const meetings = held
            .filter(({ startsUs }) => startsUs === nineUs + round)
            .map(one => one.meetingId)
          deepEqual([meetings.length, new Set(meetings).size], [2, 1], `round ${round}`)
        }
      }),
    )

    it(
      'goes to the next of those who wait, until nobody is left',
      on(async ({ store, another, probe }) => {
        const other = await another()
        const bookings = ['1', '2', '3', '4']
        await ask(store, ...bookings.map(booking => reserve(booking)))
        await settleAll(store, other)
        for (const _ of bookings) {
          const [held] = await probe.slots()
          await ask(store, cancel(held?.meetingId.replace('meeting of ', '') ?? ''))
          await settleAll(store, other)
        }
        deepEqual([await probe.slots(), await probe.count('waiting')], [[], 0])
      }),
    )

    it(
      'is not waited for any more by one that ended',
      on(async ({ store, probe }) => {
        await ask(store, reserve('holder'))
        await settleAll(store)
        await ask(store, reserve('waiter'))
        await settleAll(store)
        equal(await probe.count('waiting'), 1)
        await ask(store, cancel('waiter'))
        await settleAll(store)
        deepEqual([await probe.count('waiting'), await inStatus(store, 'waiting')], [0, []])
        equal((await probe.slots())[0]?.meetingId, 'meeting of holder')
      }),
    )
  })
}

function reserve(booking: string, change: Partial<Reservation> = {}): Reservation {
  return { do: 'reserve', booking, startsUs: nineUs, ...change }
}

function cancel(booking: string): Reservation {
  return { do: 'cancel', booking }
}

async function inStatus(store: Store, status: 'waiting'): Promise<string[]> {
  const { rows } = await store.events({ status }, { limit: 100, cursor: null })
  return rows.map(({ id }) => id)
}
