import { decide, type Fact, type FactKind, type Known, type StoredBooking } from '@booking-webhooks/core'
import { expect } from 'chai'

const known: Known = {
  provider: 'p',
  account: 'default',
  facts: [],
  bookings: [],
  slots: [],
  neighbours: [],
  waiting: [],
  nowUs: 0,
}

function fact(kind: FactKind, occurredUs: number, more: Partial<Fact> = {}): Fact {
  return {
    key: `${kind}:${occurredUs}`,
    kind,
    target: { kind: 'booking', id: '7' },
    occurredUs,
    previous: null,
    meetingId: '7',
    startsUs: 1_000,
    endsUs: 2_000,
    resources: ['host'],
    alias: null,
    noShow: false,
    cancellation: kind === 'canceled' ? { by: 'unknown', rescheduleRequested: false } : null,
    details: null,
    ...more,
  }
}

/** Decides facts one after the other; outcome and what was told of the last one. */
function lastOf(...facts: Fact[]): { outcome: string; told: (string | boolean)[] } {
  let bookings: StoredBooking[] = []
  let last = { outcome: '', told: [] as (string | boolean)[] }
  facts.forEach((one, index) => {
    const decision = decide({ ...known, facts: facts.slice(0, index), bookings }, one, { slots: true })
    bookings = decision.bookings
    const told = decision.announcements.flatMap(({ type, booking }) => [type, booking.noShow])
    last = { outcome: decision.outcome, told }
  })
  return last
}

describe('what an adapter found by comparing', () => {
  const created = fact('created', 1)

  it('is told even where the booking reads the same with it', () => {
    const label = { isNews: true }
    expect(lastOf(created, fact('updated', 2, label))).to.deep.equal({
      outcome: 'accepted',
      told: ['booking.updated', false],
    })
    expect(lastOf(created, fact('moved', 2, label)).outcome).to.equal('accepted')
    expect(lastOf(created, fact('updated', 2)).outcome, 'from a body').to.equal('unchanged')
    expect(lastOf(created, fact('moved', 2)).outcome, 'from a body').to.equal('unchanged')
  })

  it('tells a no-show after a cancel that knew of it already', () => {
    const missed = { noShow: true, isNews: true }
    expect(lastOf(created, fact('canceled', 2, missed))).to.deep.equal({
      outcome: 'accepted',
      told: ['booking.canceled', true],
    })
    expect(lastOf(created, fact('canceled', 2, missed), fact('no_show', 3, missed))).to.deep.equal({
      outcome: 'accepted',
      told: ['booking.no_show', true],
    })
  })

  it('does not come back to life for it', () => {
    expect(lastOf(created, fact('canceled', 2), fact('moved', 3, { isNews: true })).outcome).to.equal(
      'refused',
    )
  })
})
