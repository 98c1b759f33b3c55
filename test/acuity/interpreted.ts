import { type AcuityAppointment, acuity } from '@booking-webhooks/acuity'
import { sampleAppointment } from '@booking-webhooks/acuity/testing'
import {
  formatInstantOrNull,
  type Interpreted,
  noDetails,
  parseInstant,
  type StoredBooking,
} from '@booking-webhooks/core'
import { poke, stored } from './requests.js'

const id = 510200301
const adapter = acuity({ apiKey: 'test-key-1', userId: '1000001' })

/** The sample's `datetimeCreated` is 2027-03-01T14:04:05Z. */
export const connectedUs = parseInstant('2027-02-01T00:00:00Z')!

export type Changes = Partial<AcuityAppointment> & Record<string, unknown>

export const appointment = (changes: Changes = {}) => sampleAppointment({ id, ...changes })

/** The booking as stored after this answer was settled. */
export function booking(changes: Changes = {}, more: Partial<StoredBooking> = {}): StoredBooking {
  const snapshot = appointment(changes)
  return {
    id: String(id),
    threadId: String(id),
    previousId: null,
    nextId: null,
    meetingId: String(id),
    status: snapshot.canceled ? 'canceled' : 'confirmed',
    startsUs: parseInstant(snapshot.datetime),
    endsUs: null,
    resources: ['acuity/default/40001'],
    alias: null,
    noShow: snapshot.noShow === true,
    payment: null,
    details: noDetails(),
    cancellation: null,
    lastOccurredUs: connectedUs,
    told: 'open',
    toldAs: null,
    waits: false,
    snapshot,
    updatedUs: connectedUs,
    ...more,
  }
}

/** What a poke means beside this answer. */
export function interpreted(
  answer: unknown,
  known: StoredBooking | null,
  { action = 'changed', connected = connectedUs } = {},
): Interpreted[] {
  return adapter.interpret(stored(poke(action)), answer, known, { connectedUs: connected, hash: t => t })
}

/** Its facts' kinds, or `unchanged` or `unreadable`. */
export function kinds(...args: Parameters<typeof interpreted>): string[] {
  return interpreted(...args).map(one => ('fact' in one ? one.fact.kind : (Object.keys(one)[1] ?? '')))
}

/** The one fact. */
export function fact(...args: Parameters<typeof interpreted>) {
  const [one] = interpreted(...args)
  if (!('fact' in one)) throw new Error(JSON.stringify(one))
  return {
    ...one.fact,
    startsAt: formatInstantOrNull(one.fact.startsUs),
    endsAt: formatInstantOrNull(one.fact.endsUs),
    occurredAt: formatInstantOrNull(one.fact.occurredUs),
  }
}
