import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { createInbox, type Inbox } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { sqliteDatabase, type TestDatabase } from '../knex/support/databases.js'
import { received } from '../support/received.js'
import { type LogLine, listLog, signingKey } from '../support/workbench.js'

describe('a store that does not answer, on a connection that is dead without a word', () => {
  let database: TestDatabase
  let inbox: Inbox
  beforeEach(async () => {
    database = await sqliteDatabase()
  })
  afterEach(async () => {
    await inbox.close()
    await database.drop()
  })

  for (const question of ['claim', 'nextDue'] as const)
    it(`holds up what is to be done for a lease and no longer (${question})`, async () => {
      const lines: LogLine[] = []
      const store = knexStore(database.url)
      const silent = new Set<string>()
      let tell = () => {}
      const told = new Promise<void>(resolve => {
        tell = resolve
      })
      /** The first question of each kind is never answered. */
      const once = <Asked extends unknown[], Answer>(
        ask: (...asked: Asked) => Promise<Answer>,
        kindOf: (...asked: Asked) => string,
      ) => {
        return (...asked: Asked): Promise<Answer> => {
          const kind = kindOf(...asked)
          if (silent.has(kind)) return ask(...asked)
          silent.add(kind)
          return new Promise(() => {})
        }
      }
      inbox = createInbox({
        providers: [calendly({ signingKey })],
        store: {
          ...store,
          ...(question === 'claim'
            ? { claim: once(store.claim, ({ kind }) => kind) }
            : { nextDue: once(store.nextDue, kind => kind) }),
        },
        subscribers: { somebody: { takes: ['*'], tell } },
        leaseMs: 1_000,
        log: listLog(lines),
      })
      await inbox.start()
      await inbox.receive(
        'calendly',
        received(calendlyDelivery({ key: signingKey, event: 'invitee.created' })),
      )
      await told
      expect(silent).to.deep.equal(new Set(['settle', 'tell', 'replay']))
      if (question === 'claim')
        expect(lines.find(line => line.kind === 'settle')).to.include({
          level: 'error',
          message: 'the store gave no work',
        })
    })
})
