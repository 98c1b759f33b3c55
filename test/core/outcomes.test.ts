import type { FactDetails } from '@booking-webhooks/core'
import { expect } from 'chai'
import {
  canceled,
  created,
  type Happening,
  half,
  happens,
  moved,
  noShow,
  rejected,
  requested,
  updated,
} from './lifecycle/happenings.js'
import { permutations } from './lifecycle/random.js'
import { history, story } from './lifecycle/story.js'

// Histories in words: lifecycle/story.ts says how to read them.

describe('the outcomes', () => {
  it('accepted: it adds something that subscribers should know', () => {
    expect(
      history(created('A'), updated('A', 'Intro'), noShow('A', true), happens('paid', 'A'), canceled('A')),
    ).to.deep.equal([
      'created A: accepted; booking.created A',
      'updated A to Intro: accepted; booking.updated A',
      'no-show A: accepted; booking.no_show A',
      'paid A: accepted; booking.paid A',
      'canceled A: accepted; booking.canceled A',
    ])
  })

  it('unchanged: the booking is the same with it', () => {
    expect(
      history(created('A'), updated('A', 'Intro'), updated('A', 'Intro', { key: 'a copy' })),
    ).to.deep.equal([
      'created A: accepted; booking.created A',
      'updated A to Intro: accepted; booking.updated A',
      'a copy: unchanged',
    ])
    expect(
      history(created('B'), moved('B', 10), canceled('B'), canceled('B', { key: 'again' })),
    ).to.deep.equal([
      'created B: accepted; booking.created B',
      'moved B to 10: unchanged',
      'canceled B: accepted; booking.canceled B',
      'again: unchanged',
    ])
  })

  it('stale: something newer is known', () => {
    expect(
      history(
        created('A', { at: 1 }),
        moved('A', 12, { at: 3 }),
        moved('A', 11, { at: 2 }),
        updated('A', 'new', { at: 5 }),
        updated('A', 'old', { at: 4 }),
      ),
    ).to.deep.equal([
      'created A: accepted; booking.created A',
      'moved A to 12: accepted; booking.rescheduled A for A',
      'moved A to 11: stale',
      'updated A to new: accepted; booking.updated A',
      'updated A to old: stale',
    ])
  })

  it('a create is not stale where its booking was never told of: it is told as the booking is now', () => {
    const { tell, engine } = story()
    expect(
      tell(updated('A', 'Intro', { at: 2 }), happens('paid', 'A', { at: 3 }), created('A', { at: 1 })),
    ).to.deep.equal([
      'updated A to Intro: accepted; booking.updated A',
      'paid A: accepted; booking.paid A',
      'created A: accepted; booking.created A',
    ])
    const told = engine.told.at(-1)!.announcement.booking
    expect(told.title).to.equal('Intro')
    expect(told.payment).to.include({ paid: true })
  })

  it('refused: the lifecycle forbids it', () => {
    expect(
      history(
        canceled('A', { at: 2 }),
        created('A', { at: 1 }),
        moved('A', 12),
        happens('started', 'A'),
        happens('ended', 'A'),
        happens('paid', 'A'),
      ),
    ).to.deep.equal([
      'canceled A: accepted; booking.canceled A',
      'created A: refused',
      'moved A to 12: refused',
      'started A: refused',
      'ended A: refused',
      'paid A: accepted; booking.paid A',
    ])
  })

  it('the start and the end of a booking describe it only as far as nothing else did', () => {
    const { tell, engine } = story()
    const starts = (booking: FactDetails['booking'], options: Happening = {}) =>
      happens('started', 'A', { details: { booking }, ...options })
    const room = { kind: 'video', url: null, text: 'room' } as const
    tell(
      created('A', { details: { booking: { title: 'as made', location: room } } }),
      updated('A', 'changed'),
    )
    tell(starts({ title: 'as made', timeZone: 'UTC', location: { ...room, url: 'https://a.example.com' } }))
    const known = { title: 'changed', timeZone: 'UTC', location: { ...room, url: 'https://a.example.com' } }
    expect(engine.told.at(-1)?.announcement.booking).to.deep.include(known)
    const elsewhere = { kind: 'other', url: null, text: 'a café' } as const
    tell(starts({ timeZone: 'Europe/Berlin', location: elsewhere }, { key: 'again' }))
    expect(engine.told.at(-1)?.announcement.booking).to.deep.include(known)
  })

  it('stale: the start of a booking at another time than it has now', () => {
    const starts = (hour: number, options: Happening = {}) =>
      happens('started', 'A', { hour, key: `starts at ${hour}`, ...options })
    expect(
      history(created('A'), moved('A', 12), starts(10), starts(12), happens('ended', 'A', { hour: 10 })),
    ).to.deep.equal([
      'created A: accepted; booking.created A',
      'moved A to 12: accepted; booking.rescheduled A for A',
      'starts at 10: stale',
      'starts at 12: accepted; booking.started A',
      'ended A: stale',
    ])
    // Of a booking that only marks tell of, the time is the newest one's: that says nothing against the others.
    expect(history(starts(12, { at: 2 }), starts(10, { at: 1 }))).to.deep.equal([
      'starts at 12: accepted; booking.started A',
      'starts at 10: accepted; booking.started A',
    ])
  })

  it('superseded: another event tells it', () => {
    expect(
      history(created('A'), created('B', { previous: 'A', hour: 11 }), half('B', 'A'), canceled('A')),
    ).to.deep.equal([
      'created A: accepted; booking.created A',
      'created B from A: accepted; booking.rescheduled B for A',
      'half B from A: superseded',
      'canceled A: superseded',
    ])
  })

  it('conflict: another meeting holds the slot', () => {
    expect(history(created('A'), created('B'))).to.deep.equal([
      'created A: accepted; booking.created A',
      'created B: conflict; !booking.conflict B against a',
    ])
  })
})

describe('rule 2: facts sort by the provider’s time, then rank, then key', () => {
  it('an accept at the very time of its request comes after it', () => {
    expect(history(created('A', { at: 1 }), requested('A', { at: 1 }))).to.deep.equal([
      'created A: accepted; booking.created A',
      'requested A: stale',
    ])
  })

  it('at one time the change of a booking comes after its create, and its end after both', () => {
    const details = (title: string) => ({ details: { booking: { title } } })
    const facts = [
      canceled('A', { at: 1 }),
      moved('A', 12, { at: 1 }),
      updated('A', 'changed', { at: 1 }),
      created('A', { at: 1, ...details('as made') }),
    ]
    for (const order of permutations(facts)) {
      const { tell, engine } = story()
      tell(...order)
      expect(engine.bookings.get('A')).to.include({ status: 'canceled', startsUs: 12 * 3_600_000_000 })
      expect(engine.bookings.get('A')?.details.title).to.equal('changed')
    }
  })

  it('details are merged part by part in that order', () => {
    const { tell, engine } = story()
    const says = (at: number, booking: FactDetails['booking']) =>
      updated('A', String(at), { at, details: { booking } })
    tell(created('A'), says(5, { title: 'five' }), says(4, { title: 'four', timeZone: 'Europe/Rome' }))
    expect(engine.bookings.get('A')?.details).to.include({ title: 'five', timeZone: 'Europe/Rome' })
  })
})

describe('rule 3: terminal wins', () => {
  it('whatever the times say', () => {
    const { tell, engine } = story()
    tell(canceled('A', { at: 1 }), created('A', { at: 9 }))
    expect(engine.bookings.get('A')?.status).to.equal('canceled')
    expect(engine.slots.size).to.equal(0)
  })

  it('rescheduled wins over canceled, and the earlier of other ends over the later', () => {
    const { tell, engine } = story()
    tell(rejected('A', { at: 3 }), canceled('A', { at: 2 }))
    expect(engine.bookings.get('A')?.status).to.equal('canceled')
    tell(created('B', { previous: 'A' }))
    expect(engine.bookings.get('A')?.status).to.equal('rescheduled')
  })

  it('marks may still follow, and a no-show may be taken back', () => {
    expect(
      history(created('A'), canceled('A'), noShow('A', true), noShow('A', false), updated('A', 'note')),
    ).to.deep.equal([
      'created A: accepted; booking.created A',
      'canceled A: accepted; booking.canceled A',
      'no-show A: accepted; booking.no_show A',
      'no no-show A: accepted; booking.updated A',
      'updated A to note: accepted; booking.updated A',
    ])
  })
})

describe('rule 4: what is told of unknown bookings', () => {
  it('a cancel is told and leaves a tombstone', () => {
    const { tell, engine } = story()
    expect(tell(canceled('A'))).to.deep.equal(['canceled A: accepted; booking.canceled A'])
    expect(engine.bookings.get('A')).to.include({ status: 'canceled', told: 'ended' })
  })

  it('a mark is told and makes no booking', () => {
    const { tell, engine } = story()
    expect(tell(noShow('A', true), happens('reassigned', 'A', { resources: ['otto'] }))).to.deep.equal([
      'no-show A: accepted; booking.no_show A',
      'reassigned A: accepted; booking.updated A',
    ])
    expect(engine.bookings.get('A')).to.include({ status: null, noShow: true })
  })
})
