import type { Fact } from '@booking-webhooks/core'
import { expect } from 'chai'
import { meeting, person } from './lifecycle/facts.js'
import { canceled, created, type Happening, happens } from './lifecycle/happenings.js'
import { history, story } from './lifecycle/story.js'

// Histories in words: lifecycle/story.ts says how to read them.

describe('facts about a person in a meeting', () => {
  const seat = (id: string, who: string, options: Happening = {}) =>
    happens('created', person('m', who, { named: id, newId: `new ${who}` }), {
      hour: 10,
      alias: who,
      meetingId: 'm',
      key: `${who} takes ${id}`,
      ...options,
    })
  const leaves = (who: string, options: Happening = {}) =>
    happens('canceled', person('m', who), { alias: who, key: `${who} leaves`, ...options })

  it('reach their booking alone, whichever comes first', () => {
    expect(history(seat('1', 'ann'), seat('2', 'bob'), leaves('ann'))).to.deep.equal([
      'ann takes 1: accepted; booking.created 1',
      'bob takes 2: accepted; booking.created 2',
      'ann leaves: accepted; booking.canceled 1',
    ])
    expect(
      history(leaves('ann', { at: 9 }), seat('1', 'ann', { at: 1 }), seat('2', 'bob', { at: 2 })),
    ).to.deep.equal([
      'ann leaves: accepted; booking.canceled m',
      'ann takes 1: refused',
      'bob takes 2: accepted; booking.created 2',
    ])
  })

  it('end every booking that the person has there by then', () => {
    expect(
      history(seat('1', 'ann'), seat('2', 'ann'), leaves('ann'), seat('3', 'ann')).slice(2),
    ).to.deep.equal([
      'ann leaves: accepted; booking.canceled 1; !booking.canceled 2',
      'ann takes 3: accepted; booking.created 3',
    ])
  })

  it('are told in the order of settling where they take back that a booking was another one', () => {
    const { tell, engine } = story()
    const comesBack = { at: 3, alias: 'ann', meetingId: 'm', key: 'ann comes back' }
    tell(happens('created', person('m', 'ann', { newId: '2' }), { hour: 10, ...comesBack }))
    engine.lanes.done('2')
    tell(seat('1', 'ann', { at: 1 }))
    tell(leaves('ann', { at: 2 }))
    expect(engine.decisions.get('ann leaves')?.joins).to.deep.equal([{ older: '2', younger: '1' }])
    expect(engine.lanes.runnable()).to.deep.equal(['1'])
    expect(engine.told.map(({ announcement: { type, booking } }) => `${type} ${booking.id}`)).to.deep.equal([
      'booking.created 2',
      'booking.rescheduled 1',
      'booking.canceled 1',
      'booking.created 2',
    ])
  })

  it('leave alone who came back afterwards', () => {
    const { tell, engine } = story()
    tell(seat('2', 'ann', { at: 3 }), leaves('ann', { at: 2 }), seat('1', 'ann', { at: 1 }))
    expect(engine.bookings.get('1')?.status).to.equal('canceled')
    expect(engine.bookings.get('2')?.status).to.equal('confirmed')
  })

  it('do not believe a name that is somebody else’s', () => {
    expect(history(seat('1', 'ann'), seat('1', 'cy'))).to.deep.equal([
      'ann takes 1: accepted; booking.created 1',
      'cy takes 1: accepted; booking.created new cy',
    ])
  })

  it('keep links and a seat’s id from whom they are not named for', () => {
    const theirs = { seats: { id: '1', capacity: 5, taken: null }, links: { cancel: 'x', reschedule: null } }
    const { tell, engine } = story()
    const details = { booking: { ...theirs, title: 'Yoga' } }
    tell(seat('1', 'ann'), seat('1', 'cy', { details }), seat('2', 'bob', { details }))
    const shown = (id: string) => engine.bookings.get(id)?.details
    expect(shown('new cy')).to.deep.include({
      title: 'Yoga',
      links: { cancel: null, reschedule: null },
      seats: { ...theirs.seats, id: null },
    })
    expect(shown('2')).to.deep.include(details.booking)
    const unnamed = { ...theirs.seats, id: null, capacity: 6 }
    tell(leaves('bob', { details: { booking: { seats: unnamed } } }))
    expect(shown('2')?.seats).to.deep.equal({ ...theirs.seats, capacity: 6 })
    tell(happens('paid', person('m', 'dee', { named: 'm' }), { alias: 'dee', details }))
    expect(engine.told.at(-1)?.announcement.booking).to.deep.include({
      id: 'm',
      title: 'Yoga',
      links: { cancel: null, reschedule: null },
    })
  })

  it('find the booking without a seat where its own meeting has none', () => {
    const mark = happens('no_show', person('A', 'a guest', { named: 'A' }), { noShow: true, key: 'no-show' })
    expect(history(created('A', { meetingId: 'A', alias: 'ann' }), mark)).to.deep.equal([
      'created A: accepted; booking.created A',
      'no-show: accepted; booking.no_show A',
    ])
  })

  it('a create that names nobody is the person’s, and gives way to the name that came later', () => {
    const unnamed = happens('created', person('m', 'ann', { newId: 'new ann' }), {
      hour: 10,
      alias: 'ann',
      meetingId: 'm',
      at: 2,
    })
    const told = ['created ann in m: accepted; booking.created new ann']
    expect(history(unnamed)).to.deep.equal(told)
    expect(history(unnamed, seat('1', 'ann', { at: 1 }))).to.deep.equal([
      ...told,
      'ann takes 1: accepted; booking.rescheduled 1 for new ann',
    ])
    expect(history(seat('1', 'ann', { at: 1 }), unnamed).at(-1)).to.equal('created ann in m: unchanged')
  })

  it('a move out of a shared meeting ends the person’s booking there', () => {
    const leavesFor = happens('created', person('n', 'ann', { named: '3', newId: 'new' }), {
      hour: 12,
      alias: 'ann',
      meetingId: 'n',
      previous: person('m', 'ann'),
      key: 'ann moves to 3',
      at: 9,
    })
    const { tell, engine } = story()
    expect(tell(seat('1', 'ann'), seat('2', 'bob'), leavesFor).at(-1)).to.equal(
      'ann moves to 3: accepted; booking.rescheduled 3 for 1',
    )
    expect(engine.bookings.get('3')?.threadId).to.equal('1')
    expect(engine.slots.size).to.equal(2)
  })

  it('a seat that goes to another meeting and back stays one booking', () => {
    const goes = (to: string, from: string, hour: number) =>
      happens('moved', person(to, 'ann', { named: '1', newId: 'new' }), {
        hour,
        alias: 'ann',
        meetingId: to,
        previous: person(from, 'ann'),
        key: `ann goes to ${to}`,
      })
    expect(history(seat('1', 'ann'), seat('2', 'bob'), goes('n', 'm', 12), goes('m', 'n', 10))).to.deep.equal(
      [
        'ann takes 1: accepted; booking.created 1',
        'bob takes 2: accepted; booking.created 2',
        'ann goes to n: accepted; booking.rescheduled 1 for 1',
        'ann goes to m: accepted; booking.rescheduled 1 for 1',
      ],
    )
  })

  describe('or about everyone there', () => {
    const all = (kind: Fact['kind'], options: Happening = {}) =>
      happens(kind, meeting('m'), { key: `all ${kind}`, ...options })
    const allMove = (hour: number, options: Happening = {}) =>
      all('moved', { hour, meetingId: 'm', key: `all move to ${hour}`, ...options })

    it('are one event per booking', () => {
      const { tell, engine } = story()
      expect(tell(seat('1', 'ann'), seat('2', 'bob'), allMove(12), all('started'))).to.deep.equal([
        'ann takes 1: accepted; booking.created 1',
        'bob takes 2: accepted; booking.created 2',
        'all move to 12: accepted; booking.rescheduled 1 for 1; !booking.rescheduled 2 for 2',
        'all started: accepted; booking.started 1; !booking.started 2',
      ])
      expect(engine.told.map(({ id }) => id).slice(2)).to.deep.equal([
        'all move to 12',
        'all move to 12|2',
        'all started',
        'all started|2',
      ])
    })

    it('hold for those who become known later', () => {
      const { tell, engine } = story()
      expect(tell(allMove(12, { at: 5 }), seat('1', 'ann', { at: 1 }))).to.deep.equal([
        'all move to 12: accepted; booking.updated m',
        'ann takes 1: accepted; booking.created 1',
      ])
      expect(engine.bookings.get('1')?.startsUs).to.equal(12 * 3_600_000_000)
    })

    it('a cancel of the meeting is for good', () => {
      expect(history(seat('1', 'ann'), all('canceled'), seat('2', 'bob'))).to.deep.equal([
        'ann takes 1: accepted; booking.created 1',
        'all canceled: accepted; booking.canceled 1',
        'bob takes 2: refused',
      ])
    })

    it('say nothing of the persons', () => {
      const { tell, engine } = story()
      const attendee = { name: 'Bob', email: null, phone: null, timeZone: null }
      tell(seat('1', 'ann'), all('updated', { details: { booking: { title: 'Group', attendee } } }))
      expect(engine.bookings.get('1')?.details).to.include({ title: 'Group', attendee: null })
    })

    it('wait together for a slot, and get it together', () => {
      expect(
        history(
          created('X', { hour: 12 }),
          seat('1', 'ann'),
          seat('2', 'bob'),
          allMove(12),
          canceled('X'),
        ).slice(3),
      ).to.deep.equal([
        'all move to 12: conflict; !booking.conflict 1 for 1 against x; !booking.conflict 2 for 2 against x',
        'canceled X: accepted; booking.canceled X',
        'then all move to 12: accepted; booking.rescheduled 1 for 1; !booking.rescheduled 2 for 2',
      ])
    })

    it('a meeting put onto another one brings nobody there a second time', () => {
      const other = (id: string, who: string) =>
        happens('created', person('n', who, { named: id }), {
          hour: 12,
          alias: who,
          meetingId: 'n',
          key: `${who} takes ${id} of the other`,
        })
      expect(
        history(
          seat('1', 'ann'),
          seat('2', 'bob'),
          other('3', 'ann'),
          all('moved', { hour: 12, meetingId: 'n' }),
        ).at(-1),
      ).to.equal('all moved: accepted; booking.rescheduled 2 for 2; !booking.canceled 1')
    })
  })
})
