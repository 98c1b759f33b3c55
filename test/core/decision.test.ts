import { type Decision, decide, type Fact, type Known } from '@booking-webhooks/core'
import { expect } from 'chai'
import { canceled, created, half, happens, moved, requested, updated } from './lifecycle/happenings.js'
import { story } from './lifecycle/story.js'

// Histories in words: lifecycle/story.ts says how to read them.

describe('what a decision leaves to others', () => {
  it('its reasons are sentences, and hold nothing of a guest', () => {
    const secret = 'ann@example.com'
    const details = {
      booking: { title: secret, attendee: { name: secret, email: secret, phone: secret, timeZone: secret } },
      cancellationReason: secret,
    }
    const { tell, engine } = story()
    tell(
      created('A', { details }),
      created('B', { details }),
      updated('A', 'x', { details }),
      canceled('A', { details }),
      moved('A', 12, { details }),
      half('C', 'B', { details }),
    )
    for (const { reason } of engine.decisions.values()) {
      expect(reason).to.match(/^[A-Z].+\.$/)
      expect(reason).not.to.contain(secret)
    }
  })

  it('a row says how far subscribers were told, and what of', () => {
    const { tell, engine } = story()
    const told = (id: string) => engine.bookings.get(id)?.told
    tell(happens('paid', 'A'))
    expect(told('A')).to.equal('none')
    tell(requested('A'))
    expect(told('A')).to.equal('open')
    tell(created('B', { hour: 12, previous: 'A' }))
    expect([told('A'), told('B')]).to.deep.equal(['ended', 'open'])
    expect(engine.bookings.get('B')?.toldAs).to.deep.equal({
      startsUs: 12 * 3_600_000_000,
      endsUs: 12 * 3_600_000_000 + 1,
      hosts: [],
      threadId: 'A',
    })
  })
})

describe('a decision', () => {
  const known = (facts: Fact[]): Known => {
    const { tell, engine } = story()
    tell(...facts)
    return {
      provider: 'example',
      account: 'default',
      facts: [...engine.facts.values()],
      bookings: [...engine.bookings.values()],
      slots: [...engine.slots.values()],
      neighbours: [],
      waiting: [...engine.waiting.values()],
      nowUs: 0,
    }
  }
  const told = ({ announcements }: Decision) =>
    announcements.map(({ type, booking, previous }) => [type, booking.id, previous?.bookingId ?? null])

  it('leaves a booking alone of which no fact is known', () => {
    const decision = decide({ ...known([created('A')]), facts: [] }, created('B', { hour: 12 }), {
      slots: true,
    })
    expect(told(decision)).to.deep.equal([['booking.created', 'B', null]])
    expect(decision.free).to.deep.equal([])
  })

  it('is the same again, and tells nothing twice, where a fact is decided again', () => {
    const facts = [created('A'), canceled('A'), created('B'), half('C', 'B')]
    for (const fact of facts) {
      const again = decide(known(facts), fact, { slots: true })
      expect(told(again), fact.key).to.deep.equal([])
      expect([...again.free, ...again.take], fact.key).to.deep.equal([])
    }
  })

  it('puts right what a fact said before its mapping was mended', () => {
    const wrong = created('A', { key: 'the event' })
    const right = created('B', { key: 'the event', at: wrong.occurredUs })
    const decision = decide(known([wrong]), right, { slots: true })
    expect(told(decision)).to.deep.equal([['booking.rescheduled', 'B', 'A']])
    expect(decision.take.map(({ meetingId }) => meetingId)).to.deep.equal(['b'])
  })
})
