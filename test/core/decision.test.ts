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
