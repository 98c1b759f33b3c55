import { calcom } from '@booking-webhooks/calcom'
import {
  type CalcomDeliveryOptions,
  calcomDelivery,
  type SampleBooking,
} from '@booking-webhooks/calcom/testing'
import { type Driver, emailOf, type Name } from './driver.js'

const key = 'a-webhook-secret-for-tests'
const host = { id: 11, name: 'Olga Host', email: 'olga@example.com' }

type Booking = SampleBooking & { uid: string }

/** A move is one delivery about a new booking that names the old one; a seat is a booking too. */
export async function calcomDriver(): Promise<Driver> {
  const bookings = new Map<Name, Booking[]>()

  const current = (who: Name) => bookings.get(who)!.at(-1)!
  const send = (trigger: string, at: Date, more: Partial<CalcomDeliveryOptions>) =>
    calcomDelivery({ key, trigger, at, sentAt: at, ...more })
  function add(who: Name, startsAt: Date, more: SampleBooking = {}): Booking {
    const before = bookings.get(who) ?? []
    const uid = `${who}${before.length + 1}`
    const booking = { uid, name: `${who} Example`, email: emailOf(who), startsAt, host, ...more }
    bookings.set(who, [...before, booking])
    return booking
  }

  return {
    adapter: calcom({ secret: key }),
    movesInPlace: false,
    books: (who, startsAt, at) => [send('BOOKING_CREATED', at, { booking: add(who, startsAt) })],
    joins(who, startsAt, at) {
      const booking = add(who, startsAt, { uid: 'group', seatsPerTimeSlot: 10, seat: `seat-of-${who}` })
      return [send('BOOKING_CREATED', at, { booking })]
    },
    moves(who, startsAt, at) {
      const replaces = current(who)
      return [send('BOOKING_RESCHEDULED', at, { booking: { ...add(who, startsAt), replaces } })]
    },
    cancels(who, by, at) {
      const email = by === 'host' ? host.email : emailOf(who)
      return [send('BOOKING_CANCELLED', at, { booking: current(who), canceler: { email } })]
    },
    marks: (who, noShow, at) => [
      send('BOOKING_NO_SHOW_UPDATED', at, {
        booking: current(who),
        marks: [{ email: emailOf(who), noShow }],
      }),
    ],
    elsewhere: at => [send('OOO_CREATED', at, { payload: { oooEntry: { id: 1 } } })],
    ids: who => bookings.get(who)!.map(({ uid, seat }) => (seat ? `seat:${seat}` : uid)),
    close: async () => {},
  }
}
