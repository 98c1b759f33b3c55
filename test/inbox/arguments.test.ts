import type { Inbox } from '@booking-webhooks/core'
import { expect } from 'chai'
import { type Workbench, workbench } from '../support/workbench.js'

describe('an argument that cannot be meant', () => {
  let bench: Workbench
  beforeEach(() => {
    bench = workbench()
  })
  afterEach(() => bench.close())

  const wrong: [string, (inbox: Inbox) => Promise<unknown>, string][] = []
  /** Callers without types can ask for anything. */
  const asked = (
    name: 'events' | 'bookings' | 'replay' | 'erase' | 'replays',
    message: string,
    ...given: unknown[]
  ) =>
    wrong.push([
      `${name}(${given.map(one => JSON.stringify(one)).join(', ')})`,
      inbox => (inbox[name] as (...given: unknown[]) => Promise<unknown>)(...given),
      message,
    ])

  for (const name of ['events', 'replay'] as const) {
    asked(name, 'status must be one of pending, waiting, done, dead', { status: 'failed' })
    asked(name, 'has no field "bookingId". There are: event, booking,', { bookingId: 'x' })
    asked(name, 'has no field "toString"', { toString: 'x' })
    asked(name, 'outcome must be one of accepted', { outcome: 'ok' })
    asked(name, 'by must be one of received, occurred', { by: 'occured' })
    asked(name, 'fromUs must be whole microseconds', { fromUs: '2099-01-01' })
    asked(name, 'toUs must be whole microseconds', { toUs: 1.5 })
    asked(name, 'booking must be text', { booking: null })
    asked(name, 'takes an object', 'evt_1')
    asked(name, 'takes an object', null)
  }
  asked('replay', 'has no field "dryrun". There are: dryRun,', {}, { dryrun: true })
  asked('replay', 'fresh must be true or false', {}, { fresh: 'no' })
  asked('bookings', 'has no field "id". There are: booking,', { id: 'x' })
  asked('bookings', 'status must be one of requested', { status: 'cancelled' })
  asked('replays', 'has no field "replay"', { replay: 'x' })
  asked('erase', 'needs { booking } or { email }', { bookingId: 'x' })
  asked('erase', 'needs { booking } or { email }', {})
  asked('erase', 'needs { booking } or { email }', null)
  asked('erase', 'has no field "mail"', { booking: 'x', mail: 'ann@example.com' })
  asked('erase', 'has no field "booking"', { email: 'ann@example.com', booking: 'x' })
  asked('erase', 'has no field "drop"', { booking: 'x' }, { drop: true })

  for (const [title, ask, message] of wrong)
    it(`is refused: ${title}`, async () => {
      const error = (await ask(bench.inbox).catch((reason: unknown) => reason)) as Error
      expect(error).to.include({ code: 'INVALID_OPTION' })
      expect(error.message).to.include(message)
    })

  it('is none that says nothing', async () => {
    const nothing = { status: undefined, fromUs: undefined, booking: undefined }
    expect((await bench.inbox.events(nothing)).rows).to.deep.equal([])
    expect((await bench.inbox.replay(nothing, { dryRun: true })).scope.events).to.equal(0)
  })
})
