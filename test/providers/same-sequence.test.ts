import { expect } from 'chai'
import { type Deed, type Provider, person, providers, type Stage, stage } from './stage.js'

const [ann, bob, cy] = [person('Ann'), person('Bob'), person('Cy')]

interface Row {
  happens: Deed[]
  /** True where it all arrives last deed first. */
  reversed?: true
  told: string[]
  /** Where a provider cannot say, or does not do, what the others do. */
  but?: Partial<Record<Provider, { because: string; told: string[] }>>
  /** The outcome of what arrives last; `accepted` unless said. */
  last?: Record<Provider, string>
}

const namesNobody = 'it does not say who canceled'
const tellsNow = 'it is asked, and answers with the state of now'
const lastSeats = [
  'created Ann 9',
  'created Bob 9',
  'canceled Ann 9 by unknown',
  'conflict Cy 9',
  'canceled Bob 9 by unknown',
  'created Cy 9',
]

const table: Record<string, Row> = {
  'a booking': {
    happens: [ann.books(9)],
    told: ['created Ann 9'],
  },
  'a booking that its attendee cancels': {
    happens: [ann.books(9), ann.cancels()],
    told: ['created Ann 9', 'canceled Ann 9 by attendee'],
    but: { acuity: { because: namesNobody, told: ['created Ann 9', 'canceled Ann 9 by unknown'] } },
  },
  'a booking that its host cancels': {
    happens: [ann.books(9), ann.isCanceledByTheHost()],
    told: ['created Ann 9', 'canceled Ann 9 by host'],
    but: { acuity: { because: namesNobody, told: ['created Ann 9', 'canceled Ann 9 by unknown'] } },
  },
  'a cancel that is here before its booking': {
    happens: [ann.books(9), ann.cancels()],
    reversed: true,
    told: ['canceled Ann 9 by attendee'],
    but: { acuity: { because: namesNobody, told: ['canceled Ann 9 by unknown'] } },
    last: { calendly: 'refused', calcom: 'refused', acuity: 'unchanged' },
  },
  'a move': {
    happens: [ann.books(9), ann.moves(10)],
    told: ['created Ann 9', 'rescheduled Ann 9 > 10'],
  },
  'a move that is here before its booking': {
    happens: [ann.books(9), ann.moves(10)],
    reversed: true,
    told: ['rescheduled Ann 9 > 10'],
    but: {
      calendly: { because: 'the half that comes first knows no old time', told: ['rescheduled Ann 10'] },
      acuity: { because: tellsNow, told: ['created Ann 10'] },
    },
    last: { calendly: 'refused', calcom: 'refused', acuity: 'unchanged' },
  },
  'two moves': {
    happens: [ann.books(9), ann.moves(10), ann.moves(11)],
    told: ['created Ann 9', 'rescheduled Ann 9 > 10', 'rescheduled Ann 10 > 11'],
  },
  'a move there and back': {
    happens: [ann.books(9), ann.moves(10), ann.moves(9)],
    told: ['created Ann 9', 'rescheduled Ann 9 > 10', 'rescheduled Ann 10 > 9'],
  },
  'a move, then a cancel': {
    happens: [ann.books(9), ann.moves(10), ann.cancels()],
    told: ['created Ann 9', 'rescheduled Ann 9 > 10', 'canceled Ann 10 by attendee'],
    but: {
      acuity: {
        because: namesNobody,
        told: ['created Ann 9', 'rescheduled Ann 9 > 10', 'canceled Ann 10 by unknown'],
      },
    },
  },
  'a no-show': {
    happens: [ann.books(9), ann.doesNotCome(), ann.cameAfterAll()],
    told: ['created Ann 9', 'no_show Ann 9', 'updated Ann 9'],
    but: {
      acuity: {
        because: 'a no-show is a canceled appointment with a mark',
        told: ['created Ann 9', 'canceled Ann 9 by unknown', 'no_show Ann 9', 'updated Ann 9'],
      },
    },
  },
  'two attendees of one meeting': {
    happens: [ann.joins(9), bob.joins(9)],
    told: ['created Ann 9', 'created Bob 9'],
  },
  'one of two who leaves, so that the slot stays taken': {
    happens: [ann.joins(9), bob.joins(9), ann.cancels(), cy.books(9), bob.cancels()],
    told: [
      'created Ann 9',
      'created Bob 9',
      'canceled Ann 9 by attendee',
      'conflict Cy 9',
      'canceled Bob 9 by attendee',
      'created Cy 9',
    ],
    but: {
      calcom: { because: 'the cancel of a seat does not say who canceled', told: lastSeats },
      acuity: { because: namesNobody, told: lastSeats },
    },
  },
}

for (const provider of providers)
  describe(`${provider}, as a subscriber hears it`, () => {
    let scene: Stage
    beforeEach(async () => {
      scene = await stage()
    })
    afterEach(() => scene.close())

    for (const [title, row] of Object.entries(table)) {
      const other = row.but?.[provider]
      it(other ? `${title}: ${other.because}` : title, async () => {
        await (row.reversed ? scene.arriveInReverse : scene.happen)(provider, ...row.happens)
        expect(scene.heard()).to.deep.equal(other?.told ?? row.told)
        expectPreviousOf(scene, provider)
        const last = (await scene.events()).at(-1)
        expect(last?.outcome).to.equal(row.last?.[provider] ?? 'accepted')
      })
    }
  })

/** A move names the booking before it: the last id of that person, or the same one where it moved in place. */
function expectPreviousOf({ told, drivers }: Stage, provider: Provider): void {
  const { ids, movesInPlace } = drivers[provider]
  const chain = ids('Ann')
  for (const { type, booking, previous } of told) {
    if (type !== 'booking.rescheduled') {
      expect(previous, type).to.equal(null)
      continue
    }
    expect(previous?.bookingId).to.equal(
      movesInPlace ? booking?.id : chain[chain.indexOf(booking?.id ?? '') - 1],
    )
    expect(booking?.threadId).to.equal(chain[0])
  }
}
