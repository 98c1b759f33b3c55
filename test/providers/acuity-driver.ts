import { type AcuityAppointment, acuity } from '@booking-webhooks/acuity'
import { acuityDelivery, sampleAppointment, startFakeAcuity } from '@booking-webhooks/acuity/testing'
import { type Driver, emailOf, type Name } from './driver.js'

const key = 'an-api-key-for-tests'
const over = { canceled: true, canClientCancel: false, canClientReschedule: false }
const numbers: Record<Name, number> = { Ann: 510200301, Bob: 510200302, Cy: 510200303 }

/** A delivery only says which appointment to ask for; the answer is always the state of now. */
export async function acuityDriver(): Promise<Driver> {
  const fake = await startFakeAcuity()
  const poke = (action: string, who: Name, changes: Partial<AcuityAppointment>) => [
    acuityDelivery({ key, action, appointment: fake.put({ id: numbers[who], ...changes }) }),
  ]
  const book = (who: Name, startsAt: Date, at: Date, more: Partial<AcuityAppointment> = {}) => {
    const person = { firstName: who, lastName: 'Example', email: emailOf(who) }
    const times = { datetime: written(startsAt), datetimeCreated: written(at) }
    return poke('scheduled', who, sampleAppointment({ id: numbers[who], ...person, ...times, ...more }))
  }

  return {
    adapter: acuity({
      apiKey: key,
      userId: '1000001',
      apiUrl: fake.url,
      since: '2027-02-01T00:00:00Z',
      requestsPerSecond: 10_000,
    }),
    movesInPlace: true,
    books: (who, startsAt, at) => book(who, startsAt, at),
    joins: (who, startsAt, at) => book(who, startsAt, at, { classID: 77001 }),
    moves: (who, startsAt) => poke('rescheduled', who, { datetime: written(startsAt) }),
    cancels: who => poke('canceled', who, over),
    marks: (who, noShow) => poke(noShow ? 'canceled' : 'changed', who, { ...over, noShow }),
    elsewhere: () => [acuityDelivery({ key, action: 'order.completed', id: 99 })],
    ids: who => [String(numbers[who])],
    close: () => fake.close(),
  }
}

/** As Acuity writes instants: whole seconds, an offset without a colon. */
function written(at: Date): string {
  return `${at.toISOString().slice(0, 19)}+0000`
}
