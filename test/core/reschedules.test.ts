import { expect } from 'chai'
import { canceled, created, half, rejected, requested, updated } from './lifecycle/happenings.js'
import { history, story } from './lifecycle/story.js'

// Histories in words: lifecycle/story.ts says how to read them.

describe('rule 5: a reschedule is one event', () => {
  it('whichever half comes first', () => {
    const told = ['half B from A: superseded', 'created B from A: accepted; booking.rescheduled B for A']
    const halves = () => [half('B', 'A', { at: 2 }), created('B', { at: 3, hour: 11, previous: 'A' })]
    expect(history(created('A', { at: 1 }), ...halves()).slice(1)).to.deep.equal(told)
    expect(history(created('A', { at: 1 }), ...halves().reverse()).slice(1)).to.deep.equal(told.reverse())
  })

  it('closes the old booking and frees its slot, although no cancel ever comes', () => {
    const { tell, engine } = story()
    tell(created('A'), created('B', { hour: 11, previous: 'A' }))
    expect(engine.bookings.get('A')?.status).to.equal('rescheduled')
    expect([...engine.slots.values()].map(slot => slot.meetingId)).to.deep.equal(['b'])
  })

  it('a chain that arrives from its end is told link by link, always with the newest booking', () => {
    expect(
      history(
        created('A', { at: 1 }),
        created('C', { at: 3, hour: 12, previous: 'B' }),
        created('B', { at: 2, hour: 11, previous: 'A' }),
      ),
    ).to.deep.equal([
      'created A: accepted; booking.created A',
      'created C from B: accepted; booking.rescheduled C for B',
      'created B from A: accepted; booking.rescheduled C for A',
    ])
  })

  it('the end is told as canceled where the newest booking is over', () => {
    expect(
      history(
        created('A', { at: 1 }),
        created('C', { at: 3, hour: 12, previous: 'B' }),
        canceled('C', { at: 4 }),
        created('B', { at: 2, hour: 11, previous: 'A' }),
      ).slice(2),
    ).to.deep.equal([
      'canceled C: accepted; booking.canceled C',
      'created B from A: accepted; booking.canceled A',
    ])
  })

  it('the end is left to the created half where the newest booking is known only by name', () => {
    expect(
      history(
        created('A', { at: 1 }),
        half('C', 'B', { at: 3 }),
        created('B', { at: 2, hour: 11, previous: 'A' }),
        created('C', { at: 3, hour: 12, previous: 'B' }),
      ).slice(1),
    ).to.deep.equal([
      'half C from B: superseded',
      'created B from A: superseded',
      'created C from B: accepted; booking.rescheduled C for A',
    ])
  })

  it('the end is told as a conflict where the newest booking waits', () => {
    expect(
      history(
        created('A', { at: 1, hour: 9 }),
        created('X', { at: 1, hour: 12 }),
        created('C', { at: 3, hour: 12, previous: 'B' }),
        created('B', { at: 2, hour: 11, previous: 'A' }),
        canceled('X'),
      ).slice(2),
    ).to.deep.equal([
      'created C from B: conflict; !booking.conflict C for B against x',
      'created B from A: superseded; !booking.conflict C for A against x',
      'canceled X: accepted; booking.canceled X',
      'then created C from B: accepted; booking.rescheduled C for B',
    ])
  })

  it('where several earlier bookings were told of, each gets an event', () => {
    expect(
      history(
        created('A', { at: 1, hour: 9 }),
        created('B', { at: 2, hour: 10 }),
        half('C', 'B', { at: 4 }),
        half('B', 'A', { at: 3 }),
        created('C', { at: 4, hour: 12, previous: 'B' }),
      ).slice(2),
    ).to.deep.equal([
      'half C from B: superseded',
      'half B from A: superseded',
      'created C from B: accepted; booking.rescheduled C for B; !booking.rescheduled C for A',
    ])
  })

  it('a half tells itself where its other half came before and did not name the old booking', () => {
    expect(history(created('A', { hour: 9 }), created('B', { hour: 10 }), half('B', 'A'))).to.deep.equal([
      'created A: accepted; booking.created A',
      'created B: accepted; booking.created B',
      'half B from A: superseded; !booking.rescheduled B for A',
    ])
  })

  it('a link to itself, or in a circle, is none', () => {
    const { tell, engine } = story()
    expect(tell(created('A', { previous: 'A' }), created('B', { hour: 11, previous: 'A' }))).to.deep.equal([
      'created A from A: accepted; booking.created A',
      'created B from A: accepted; booking.rescheduled B for A',
    ])
    tell(half('A', 'B'))
    expect(engine.bookings.get('A')).to.include({ status: 'rescheduled', nextId: 'B', previousId: null })
    expect(engine.bookings.get('B')?.status).to.equal('confirmed')
  })

  it('the thread has the name of its oldest booking, and says what its name was before', () => {
    const { tell, engine } = story()
    tell(
      created('B', { at: 2 }),
      created('C', { at: 3, hour: 11, previous: 'B' }),
      created('B', { at: 2, previous: 'A', key: 'B came from A' }),
      updated('C', 'Intro'),
      updated('C', 'Outro'),
    )
    const names = engine.told.map(({ announcement }) => [
      announcement.booking.threadId,
      announcement.previousThreadId,
    ])
    expect(names).to.deep.equal([
      ['B', null],
      ['B', null],
      ['A', 'B'],
      ['A', null],
    ])
    expect(engine.decisions.get('B came from A')?.joins).to.deep.equal([{ older: 'A', younger: 'B' }])
  })
})

describe('rule 6: a host asks for another time', () => {
  const asks = { by: 'host', rescheduleRequested: true } as const

  it('as a cancel, and the move out of that canceled booking is legal', () => {
    const { tell, engine } = story()
    expect(
      tell(created('A'), canceled('A', { cancellation: asks }), created('B', { hour: 11, previous: 'A' })),
    ).to.deep.equal([
      'created A: accepted; booking.created A',
      'canceled A: accepted; booking.canceled A',
      'created B from A: accepted; booking.rescheduled B for A',
    ])
    expect(engine.told.map(({ announcement }) => announcement.cancellation)).to.deep.equal([
      null,
      { ...asks, reason: null },
      { ...asks, reason: null },
    ])
    expect(engine.bookings.get('B')?.threadId).to.equal('A')
  })

  it('a cancel that comes after the move is superseded, and what it says is kept', () => {
    const { tell, engine } = story()
    tell(created('A', { at: 1 }), created('B', { at: 3, hour: 11, previous: 'A' }))
    expect(tell(canceled('A', { at: 2, cancellation: asks }))).to.deep.equal(['canceled A: superseded'])
    expect(engine.bookings.get('A')?.cancellation).to.include({ rescheduleRequested: true })
  })

  it('a reschedule with status requested takes the old entry off; booking.created follows', () => {
    const { tell, engine } = story()
    expect(tell(created('A'), requested('B', { hour: 11, previous: 'A' }))).to.deep.equal([
      'created A: accepted; booking.created A',
      'requested B from A: accepted; booking.rescheduled B for A',
    ])
    expect(engine.slots.size).to.equal(0)
    expect(tell(created('B', { hour: 11 }))).to.deep.equal(['created B: accepted; booking.created B'])
    expect(tell(rejected('B'))).to.deep.equal(['rejected B: accepted; booking.rejected B'])
  })
})
