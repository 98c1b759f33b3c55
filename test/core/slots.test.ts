import { expect } from 'chai'
import { canceled, created, happens, moved, requested } from './lifecycle/happenings.js'
import { history, story } from './lifecycle/story.js'

// Histories in words: lifecycle/story.ts says how to read them.

describe('rule 7: a conflict waits', () => {
  it('and the next person’s booking, sooner here than the cancel before it, is not lost', () => {
    const { tell, engine } = story()
    tell(created('A', { at: 1 }), created('B', { at: 3 }))
    expect(engine.told.at(-1)?.announcement.booking.status).to.equal('conflict')
    expect(tell(canceled('A', { at: 2 }))).to.deep.equal([
      'canceled A: accepted; booking.canceled A',
      'then created B: accepted; booking.created B',
    ])
    expect(engine.told.map(({ id }) => id)).to.deep.equal([
      'created A',
      'created B|conflict',
      'canceled A',
      'created B',
    ])
  })

  it('the oldest by the provider’s time goes first, whenever it came', () => {
    expect(
      history(created('A', { at: 1 }), created('C', { at: 3 }), created('B', { at: 2 }), canceled('A')).slice(
        3,
      ),
    ).to.deep.equal([
      'canceled A: accepted; booking.canceled A',
      'then created B: accepted; booking.created B',
    ])
  })

  it('one who cannot take all their slots lets the next one go first', () => {
    expect(
      history(
        created('A', { at: 1, host: 'olga' }),
        created('B', { at: 1, host: 'otto' }),
        created('C', { at: 2, host: ['olga', 'otto'] }),
        created('D', { at: 3, host: 'olga' }),
        canceled('A'),
      ).slice(4),
    ).to.deep.equal([
      'canceled A: accepted; booking.canceled A',
      'then created D: accepted; booking.created D',
    ])
  })

  it('it is rescheduled where it goes back to the time that it was told before', () => {
    expect(history(created('A', { hour: 9 }), created('B'), moved('A', 10), moved('A', 9)).at(-1)).to.equal(
      'moved A to 9: accepted; booking.rescheduled A for A',
    )
  })

  it('it has given up the slot that it held before, and stands for the end of what was told', () => {
    const { tell, engine } = story()
    expect(tell(created('A', { hour: 9 }), created('B'), moved('A', 10))).to.deep.equal([
      'created A: accepted; booking.created A',
      'created B: accepted; booking.created B',
      'moved A to 10: conflict; !booking.conflict A for A against b',
    ])
    expect([...engine.slots.values()].map(slot => slot.meetingId)).to.deep.equal(['b'])
    expect(tell(canceled('B'))).to.deep.equal([
      'canceled B: accepted; booking.canceled B',
      'then moved A to 10: accepted; booking.rescheduled A for A',
    ])
    const previous = engine.told.at(-1)?.announcement.previous
    expect(previous?.startsAt).to.equal('1970-01-01T09:00:00.000000Z')
  })

  it('also where a booking is accepted after its request, or given to a host who is taken', () => {
    expect(history(requested('A'), created('B'), created('A'), canceled('B')).slice(1)).to.deep.equal([
      'created B: accepted; booking.created B',
      'created A: conflict; !booking.conflict A for A against b',
      'canceled B: accepted; booking.canceled B',
      'then created A: accepted; booking.created A',
    ])
    expect(
      history(
        created('A'),
        created('B', { host: 'otto' }),
        happens('reassigned', 'A', { resources: ['otto'] }),
        canceled('B'),
      ).slice(2),
    ).to.deep.equal([
      'reassigned A: conflict; !booking.conflict A for A against b',
      'canceled B: accepted; booking.canceled B',
      'then reassigned A: accepted; booking.rescheduled A for A',
    ])
  })

  it('one that ends or moves waits no longer', () => {
    const { tell, engine } = story()
    tell(created('A'), created('B'), created('C'))
    expect(tell(canceled('B'), moved('C', 12))).to.deep.equal([
      'canceled B: accepted; booking.canceled B',
      'moved C to 12: accepted; booking.rescheduled C for C',
    ])
    expect(engine.waiting.size).to.equal(0)
    expect(engine.decisions.get('canceled B')?.noLongerWaiting).to.deep.equal([
      { eventId: 'created B', reason: 'It waits no longer: its booking was canceled.' },
    ])
  })

  it('one whose end has passed by the database’s clock waits no longer, and lets the next one have the slot', () => {
    let nowUs = 0
    const { tell, engine } = story({ nowUs: () => nowUs })
    tell(
      created('A'),
      created('B'),
      created('C', { hour: undefined }),
      happens('moved', 'C', { hour: 10, endsUs: 1e15 }),
    )
    nowUs = 11 * 3_600_000_000
    expect(tell(canceled('A'))).to.deep.equal([
      'canceled A: accepted; booking.canceled A',
      'then created B: conflict',
      'then moved C: accepted; booking.rescheduled C for C',
    ])
    expect(engine.decisions.get('created B')?.reason).to.equal(
      'It waits no longer: its booking has ended without the slot.',
    )
  })

  it('what is new of one that waits is told as an update', () => {
    const longer = moved('B', 10, { endsUs: 11 * 3_600_000_000, key: 'B takes longer' })
    expect(history(created('A'), created('B'), longer).slice(2)).to.deep.equal([
      'B takes longer: accepted; booking.updated B',
    ])
  })

  it('a swap of two slots, each told of before the other is freed, ends with both moved', () => {
    const { tell, engine } = story()
    tell(created('A', { hour: 9 }), created('B', { hour: 10 }))
    expect(tell(moved('A', 10), moved('B', 9))).to.deep.equal([
      'moved A to 10: conflict; !booking.conflict A for A against b',
      'moved B to 9: accepted; booking.rescheduled B for B',
      'then moved A to 10: accepted; booking.rescheduled A for A',
    ])
    expect(engine.slots.size).to.equal(2)
  })
})

describe('rule 8: bookings of one meeting share its slot', () => {
  it('it is free when the last active one is gone', () => {
    const { tell, engine } = story()
    expect(tell(created('A', { meetingId: 'class' }), created('B', { meetingId: 'class' }))).to.deep.equal([
      'created A: accepted; booking.created A',
      'created B: accepted; booking.created B',
    ])
    tell(canceled('A'))
    expect(engine.slots.size).to.equal(1)
    tell(canceled('B'))
    expect(engine.slots.size).to.equal(0)
  })

  it('who waits with a meeting gets the slot that it takes', () => {
    expect(
      history(
        created('X', { host: 'olga' }),
        created('A', { meetingId: 'class', host: ['olga', 'otto'] }),
        created('B', { meetingId: 'class', host: ['olga', 'otto'] }),
        canceled('X'),
      ).slice(3),
    ).to.deep.equal([
      'canceled X: accepted; booking.canceled X',
      'then created A: accepted; booking.created A',
      'then created B: accepted; booking.created B',
    ])
  })
})

describe('slots', () => {
  it('a requested booking takes none', () => {
    expect(history(requested('A'), requested('B'), created('A'), created('B'))).to.deep.equal([
      'requested A: accepted; booking.requested A',
      'requested B: accepted; booking.requested B',
      'created A: accepted; booking.created A',
      'created B: conflict; !booking.conflict B for B against a',
    ])
  })

  it('several hosts: all or none', () => {
    const { tell, engine } = story()
    tell(created('A', { host: 'olga' }), created('B', { host: ['olga', 'otto'] }))
    expect([...engine.slots.keys()]).to.have.length(1)
    expect(engine.bookings.get('B')).to.include({ status: 'confirmed', waits: true })
  })

  it('a change of hosts that changes no slot is an update', () => {
    const host = { id: null, name: 'Olga', email: null }
    expect(
      history(created('A'), happens('reassigned', 'A', { details: { booking: { hosts: [host] } } })).slice(1),
    ).to.deep.equal(['reassigned A: accepted; booking.updated A'])
  })

  it('are not guarded where that is turned off', () => {
    expect(story({ slots: false }).tell(created('A'), created('B'))).to.deep.equal([
      'created A: accepted; booking.created A',
      'created B: accepted; booking.created B',
    ])
  })
})
