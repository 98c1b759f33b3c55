import { deepEqual, equal } from 'node:assert/strict'
import type { ClaimedLane, Settlement, Store } from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, claimOne, tellLane } from './events.js'
import { tellOf } from './settling.js'

/** Joined threads: what was told in the younger one goes before what will be told in the older one. */
export function afterChainContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('a lane that waits after another', () => {
    it(
      'is not due until the other one is idle',
      on(async ({ store }) => {
        await tellIn(store, 'Y')
        await tellIn(store, 'O', [join('O', 'Y')])
        equal(await store.nextDue('tell', ['calendar']), 0)
        const young = await claimOne(store, 'tell')
        equal(young.key, lane('Y'))
        equal((await store.nextDue('tell', ['calendar'])) === 0, false)
        await store.release(young, { to: 'later', afterMs: 0, failures: 1 })
        await finish(store, await claimOne(store, 'tell'))
        const old = await claimOne(store, 'tell')
        equal(old.key, lane('O'))
        equal((await store.pendingTells(old, 10)).length, 1)
      }),
    )

    it(
      'does not wait for one that has nothing to tell',
      on(async ({ store }) => {
        await tellIn(store, 'Y')
        await finish(store, await claimOne(store, 'tell'))
        await tellIn(store, 'O', [join('O', 'Y'), join('O', 'never told')])
        equal((await claimOne(store, 'tell')).key, lane('O'))
      }),
    )

    it(
      'tells nothing new where it was in hands already, and is due again afterwards',
      on(async ({ store }) => {
        await tellIn(store, 'O')
        const old = await claimOne(store, 'tell')
        await tell(store, old)
        await tellIn(store, 'Y')
        await tellIn(store, 'O', [join('O', 'Y')])
        deepEqual(await store.pendingTells(old, 10), [])
        await store.release(old, { to: 'idle' })
        const young = await claimOne(store, 'tell')
        equal(young.key, lane('Y'))
        await finish(store, young)
        equal((await claimOne(store, 'tell')).key, lane('O'))
      }),
    )

    it(
      'looks again where the other one became idle while it was in hands',
      on(async ({ store }) => {
        await tellIn(store, 'Y')
        const young = await claimOne(store, 'tell')
        await tellIn(store, 'O')
        const old = await claimOne(store, 'tell')
        await tell(store, old)
        await tellIn(store, 'O', [join('O', 'Y')])
        const claimedAgain = await store.pendingTells(old, 10)
        await finish(store, young)
        await store.release(old, { to: 'idle' })
        deepEqual([claimedAgain, (await claimOne(store, 'tell')).key], [[], lane('O')])
      }),
    )

    it(
      'joins a chain at its end: 1 after 2, then 1 after 3, is told 2, 3, 1',
      on(async ({ store }) => {
        await tellIn(store, '2')
        await tellIn(store, '1', [join('1', '2')])
        await tellIn(store, '3')
        await tellIn(store, '1', [join('1', '3')])
        deepEqual(await order(store), ['2', '3', '1'])
      }),
    )

    it(
      'lets nobody pass who waits after it, also where it was in hands as it began to wait',
      on(async ({ store }) => {
        await tellIn(store, 'O')
        const old = await claimOne(store, 'tell')
        await tell(store, old)
        await tellIn(store, 'Y', [join('O', 'Y')])
        await tellIn(store, 'F', [join('F', 'O')])
        await store.release(old, { to: 'idle' })
        deepEqual(await order(store), ['Y', 'O', 'F'])
      }),
    )

    it(
      'passes a chain on through a lane that has nothing to tell itself',
      on(async ({ store }) => {
        await tellIn(store, 'C', [join('B', 'C')])
        await tellIn(store, 'A', [join('A', 'B')])
        deepEqual(await order(store), ['C', 'B', 'A'])
      }),
    )

    it(
      'is in no circle',
      on(async ({ store }) => {
        await tellIn(store, '1')
        await tellIn(store, '2', [join('2', '1')])
        await tellIn(store, '1', [join('1', '2')])
        deepEqual(await order(store), ['1', '2'])
      }),
    )
  })
}

const threads = ['A', 'B', 'C', 'F', 'O', 'Y', '1', '2', '3']

function lane(thread: string): string {
  return tellLane('calendar', thread)
}

function join(older: string, younger: string): Settlement['laneJoins'][number] {
  return { older: lane(older), younger: lane(younger) }
}

let count = 0
async function tellIn(store: Store, thread: string, laneJoins: Settlement['laneJoins'] = []): Promise<void> {
  count += 1
  await tellOf(store, `${thread} ${count}`, ['calendar'], { thread, laneJoins })
}

async function tell(store: Store, held: ClaimedLane): Promise<void> {
  for (const one of await store.pendingTells(held, 10)) {
    await store.beginAttempt(held, one)
    await store.endAttempt(held, one, { is: 'done' })
  }
}

async function finish(store: Store, held: ClaimedLane): Promise<void> {
  await tell(store, held)
  await store.release(held, { to: 'idle' })
}

/** In which order the threads' lanes come until nothing is due; what is due together is joined by a plus. */
async function order(store: Store): Promise<string[]> {
  const came: string[] = []
  for (;;) {
    const due = await claim(store, 'tell')
    if (due.length === 0) return came
    came.push(due.map(({ key }) => threads.find(thread => lane(thread) === key) ?? key).join(' + '))
    for (const held of due) await finish(store, held)
  }
}
