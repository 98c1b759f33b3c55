import { deepEqual, equal } from 'node:assert/strict'
import type { OnGround } from '../store-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { claim, newEvent } from './events.js'
import { tellOf } from './settling.js'

/** Subscribers that nobody has any more. */
export function retireContract({ describe, it }: TestFunctions, on: OnGround): void {
  describe('a subscriber that is retired', () => {
    it(
      'is told nothing of what was pending or dead, and what it was told stays; its neighbours’ work stays too',
      on(async ({ store }) => {
        await store.register(['gone', 'here'].map(name => ({ name, takes: ['*'] })))
        for (const key of ['done', 'dead', 'pending']) await tellOf(store, key, ['gone', 'here'])
        const of = { limit: 9, subscribers: ['gone'] }
        for (const lane of await claim(store, 'tell', of))
          for (const tell of await store.pendingTells(lane, 1)) {
            const is = ['done', 'dead'].find(key => newEvent(key).id === tell.eventId)
            if (is === 'done') await store.endAttempt(lane, tell, { is })
            else if (is === 'dead') await store.endAttempt(lane, tell, { is, error: 'No.' })
          }
        deepEqual(await store.retire('gone'), { is: 'retired', pending: 1, dead: 1 })
        const health = await store.health()
        deepEqual([health.backlog.tells.pending, health.dead.tells, health.failing], [3, 0, []])
        deepEqual(
          (await store.subscribers()).map(({ name }) => name),
          ['here'],
        )
        deepEqual(await claim(store, 'tell', of), [])
        equal((await claim(store, 'tell', { limit: 9, subscribers: ['here'] })).length, 3)
        const { rows } = await store.events({ subscriber: 'gone' }, { limit: 9, cursor: null })
        deepEqual(
          rows.map(({ id }) => id),
          [newEvent('done').id],
        )
        deepEqual(await store.sweep(), { lanes: 0, waiting: 0 })
      }),
    )

    it(
      'must be known, and no process may have it',
      on(async ({ store }) => {
        await store.register([{ name: 'here', takes: ['*'] }])
        await store.seen(['here'])
        equal((await store.retire('here')).is, 'running')
        equal((await store.subscribers()).length, 1)
        deepEqual(await store.retire('nobody'), { is: 'unknown' })
      }),
    )

    it(
      'is shown, and can be retired again, where an event that was being settled told it something more',
      on(async ({ store }) => {
        await tellOf(store, 'late', ['gone'])
        deepEqual((await store.health()).unseen, [{ subscriber: 'gone', pending: 1, lastSeenAt: null }])
        deepEqual(await store.retire('gone'), { is: 'retired', pending: 1, dead: 0 })
        deepEqual((await store.health()).unseen, [])
      }),
    )
  })
}
