import { deepEqual, equal } from 'node:assert/strict'
import {
  type AskedReplay,
  askForReplay,
  type ClaimedLane,
  type EventFilter,
  type ReplayPage,
  type Store,
  type StoredReplay,
} from '@booking-webhooks/core'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, claimOne, newEvent, recordAndClaim, runOut, settleLane, tellLane } from './events.js'
import { newBooking, newFact, settleOne, tellOf } from './settling.js'

/** Replays: which events, in which order, and pages that are written whole or not at all. */
export function replayContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('a replay', () => {
    it(
      'means what is finished when it is asked for, in the order in which it was settled, page by page',
      on(async ({ store }) => {
        await store.record([newEvent('first'), newEvent('second'), newEvent('look', { origin: 'look' })])
        const lanes = await claim(store)
        for (const key of ['second', 'first', 'look'])
          for (const lane of lanes)
            if (lane.key === settleLane(`booking of ${key}`)) await settleOne(store, lane, newEvent(key).id)
        await tellOf(store, 'third', ['calendar'], { booking: newBooking('booking of third') })
        await store.record([newEvent('pending')])
        const scope = await store.replayScope({})
        equal(scope.events, 3)
        await tellOf(store, 'later', [])
        const seen: (string | null)[] = []
        let cursor: Parameters<Store['replayCandidates']>[2] = null
        for (;;) {
          const page = await store.replayCandidates({}, scope, cursor, 2)
          for (const one of page.candidates) {
            seen.push((one.told?.raw as { key: string } | undefined)?.key ?? null)
            cursor = one.cursor
          }
          if (page.isLast) break
        }
        deepEqual(seen, ['second', 'first', 'third'])
      }),
    )

    it(
      'knows of each event how it was decided, who was told, and the booking as it is now',
      on(async ({ store }) => {
        const booking = newBooking('B')
        const { id } = await tellOf(store, 'a', ['calendar', 'mail'], { booking, fact: newFact('B') })
        const lane = await claimOne(store, 'tell', { subscribers: ['mail'] })
        for (const tell of await store.pendingTells(lane, 1))
          await store.endAttempt(lane, tell, { is: 'dead', error: 'No.' })
        const candidatesOf = async (filter: EventFilter) =>
          (await store.replayCandidates(filter, await store.replayScope(filter), null, 10)).candidates
        const [candidate] = await candidatesOf({ status: 'dead' })
        deepEqual(
          { ...candidate, cursor: null, told: candidate?.told?.id, booking: candidate?.booking?.id },
          {
            eventId: id,
            cursor: null,
            status: 'settled',
            outcome: 'accepted',
            told: id,
            hasFact: true,
            booking: 'B',
            tells: [
              { subscriber: 'calendar', status: 'pending', isFirstPending: true },
              { subscriber: 'mail', status: 'dead', isFirstPending: false },
            ],
          },
        )
        deepEqual(candidate?.booking, booking)
        deepEqual(await candidatesOf({ status: 'done' }), [])
        deepEqual((await candidatesOf({ subscriber: 'mail' })).length, 1)
        deepEqual(await candidatesOf({ subscriber: 'nobody' }), [])
      }),
    )

    it(
      'writes a page whole, once, and goes on behind it in other hands',
      on(async ({ store, another, probe }) => {
        const { id } = await tellOf(store, 'a', [])
        const { lane, replay } = await begin(store)
        await store.writeReplayPage(lane, replay, pageOf(id, { isLast: false }))
        const [tell] = await store.pendingTells(await claimOne(store, 'tell'), 10)
        deepEqual([tell?.eventId, tell?.replay, tell?.isOvertakenToo], [id, replay.id, true])
        await runOut(store, lane)
        const other = await another()
        const again = await claimOne(other, 'replay')
        const resumed = await other.replayOf(again)
        deepEqual([resumed?.cursor, resumed?.counts.told, resumed?.outstanding], [cursor, 1, 1])
        await other.writeReplayPage(again, resumed as StoredReplay, pageOf(id))
        equal(await probe.count('tells'), 1)
        let lost = ''
        await store.writeReplayPage(lane, replay, pageOf(id)).catch(error => {
          lost = error.code
        })
        equal(lost, 'LEASE_LOST')
        await other.release(again, { to: 'idle' })
        deepEqual(await claim(store, 'replay'), [])
      }),
    )

    it(
      'is done when its callbacks are, and counts how they ended',
      on(async ({ store }) => {
        const ids: string[] = []
        for (const key of ['a', 'b', 'c']) ids.push((await tellOf(store, key, [])).id)
        const { lane, replay, asked } = await begin(store)
        const tells = ids.map(eventId => ({
          eventId,
          subscriber: 'calendar',
          lane: tellLane('calendar', eventId),
        }))
        const counts = { told: 3, decided: 0, overtaken: 0, leftOut: 0, tells: 3 }
        await store.writeReplayPage(lane, replay, { tells, decide: [], counts, cursor, isLast: true })
        const shown = async () => {
          const [row] = await store.replays({ id: asked.id ?? '', limit: 1 })
          return [row?.state, row?.done, row?.tells, row?.counts.overtaken, row?.counts.tells]
        }
        deepEqual(await shown(), ['running', 0, { pending: 3, done: 0, dead: 0 }, 0, 3])
        equal((await store.health()).replaysRunning, 1)
        const ends = [{ is: 'done' }, { is: 'dead', error: 'No.' }, null] as const
        for (const [index, one] of (await claim(store, 'tell')).entries())
          for (const tell of await store.pendingTells(one, 1)) {
            const end = ends[index]
            if (end) await store.endAttempt(one, tell, end)
            else await store.leaveOut(one, tell)
          }
        deepEqual(await shown(), ['done', 3, { pending: 0, done: 1, dead: 1 }, 1, 2])
        equal((await store.health()).replaysRunning, 0)
        deepEqual(await store.replays({ id: 'another', limit: 1 }), [])
      }),
    )

    it(
      'makes what is decided again pending; what was settled keeps its snapshot and its fact',
      on(async ({ store }) => {
        for (const key of ['settled', 'dead']) {
          const { lane, stored } = await recordAndClaim(store, newEvent(key))
          await store.saveSnapshot(lane, stored.id, { of: key })
          await store.fetchFailed(lane, stored.id, { error: 'No.', counts: true })
          await settleOne(store, lane, stored.id, {
            status: key === 'dead' ? 'dead' : 'settled',
            outcome: key === 'dead' ? null : 'refused',
            fact: key === 'dead' ? null : newFact('B'),
          })
          await store.release(lane, { to: 'idle' })
        }
        const { lane, replay, asked } = await begin(store)
        await store.writeReplayPage(lane, replay, {
          ...pageOf(''),
          tells: [],
          decide: [
            { eventId: newEvent('settled').id, wasSettled: true },
            { eventId: newEvent('dead').id, wasSettled: false },
          ],
        })
        const [row] = await store.replays({ id: asked.id ?? '', limit: 1 })
        equal(row?.state, 'running')
        const { backlog, replaysRunning } = await store.health()
        equal(replaysRunning, 1)
        deepEqual(backlog.events, { pending: 2, oldestMs: null }, 'they are old, but nobody was slow')
        const found = []
        for (const one of await claim(store))
          for (const event of await store.pendingEvents(one, 10)) {
            found.push([
              event.dedupeKey,
              event.snapshot,
              event.attempts,
              event.fact?.key ?? null,
              event.replays,
            ])
            await settleOne(store, one, event.id)
          }
        deepEqual(found.sort(), [
          ['dead', null, 0, null, 1],
          ['settled', { of: 'settled' }, 0, 'fact of B', 1],
        ])
        equal((await store.replays({ id: asked.id ?? '', limit: 1 }))[0]?.state, 'done')
        equal((await store.health()).replaysRunning, 0)
      }),
    )

    it(
      'neither tells nor decides what was erased since its page was read, and counts it as left out',
      on(async ({ store, probe }) => {
        for (const [key, outcome] of [
          ['told', 'accepted'],
          ['refused', 'refused'],
        ] as const)
          await tellOf(store, key, [], { outcome, booking: newBooking(key), fact: newFact(key) })
        const { lane, replay, asked } = await begin(store)
        const page = pageOf(newEvent('told').id, {
          decide: [{ eventId: newEvent('refused').id, wasSettled: true }],
          counts: { told: 1, decided: 1, overtaken: 0, leftOut: 0, tells: 1 },
        })
        for (const booking of ['told', 'refused']) await store.erase({ booking }, { dropPending: false })
        await store.writeReplayPage(lane, replay, page)
        equal(await probe.count('tells'), 0)
        deepEqual(await claim(store), [])
        const [row] = await store.replays({ id: asked.id ?? '', limit: 1 })
        deepEqual(row?.counts, { told: 0, decided: 0, overtaken: 0, leftOut: 2, tells: 0 })
        deepEqual([row?.state, row?.done], ['done', 2])
      }),
    )

    it(
      'forgets the finished steps of those whom it tells, where it is to be fresh',
      on(async ({ store }) => {
        const { id } = await tellOf(store, 'a', ['calendar', 'mail'])
        for (const one of await claim(store, 'tell', { subscribers: ['calendar', 'mail'] }))
          for (const tell of await store.pendingTells(one, 1)) {
            await store.saveStep(one, tell, 'insert', 1)
            await store.endAttempt(one, tell, { is: 'done' })
          }
        const { lane, replay } = await begin(store)
        await store.writeReplayPage(lane, replay, pageOf(id, { isLast: false }))
        equal((await store.steps(id, 'calendar')).size, 1)
        await store.writeReplayPage(lane, { ...replay, fresh: true }, pageOf(id))
        deepEqual([(await store.steps(id, 'calendar')).size, (await store.steps(id, 'mail')).size], [0, 1])
      }),
    )

    it(
      'is found by the sweep where its lane is idle although it is not over',
      on(async ({ store, probe }) => {
        await tellOf(store, 'a', [])
        const { lane } = await begin(store)
        await probe.strand(lane.key)
        deepEqual(await store.sweep(), { lanes: 1, waiting: 0 })
        equal((await claimOne(store, 'replay')).key, lane.key)
      }),
    )
  })
}

const cursor = { finishedUs: 1, sequence: 1 }

async function begin(store: Store): Promise<{ lane: ClaimedLane; replay: StoredReplay; asked: AskedReplay }> {
  const asked = await askForReplay(store, {}, { overtaken: true })
  const lane = await claimOne(store, 'replay')
  const replay = await store.replayOf(lane)
  if (!replay) throw new Error('The lane has no replay.')
  return { lane, replay, asked }
}

/** A page that tells one event to the calendar again. */
function pageOf(eventId: string, change: Partial<ReplayPage> = {}): ReplayPage {
  return {
    tells: [{ eventId, subscriber: 'calendar', lane: tellLane('calendar', eventId) }],
    decide: [],
    counts: { told: 1, decided: 0, overtaken: 0, leftOut: 0, tells: 1 },
    cursor,
    isLast: true,
    ...change,
  }
}
