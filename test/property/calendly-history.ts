import { calendlyDelivery, type SampleInvitee } from '@booking-webhooks/calendly/testing'
import type { SampleDelivery } from '@booking-webhooks/core'
import fc from 'fast-check'
import { shortId, signingKey } from '../support/workbench.js'

/** What people did, in the order in which they did it; numbers pick among what is there at the time. */
export type Action =
  | { is: 'book' | 'move'; who: number; host: number; start: number }
  | { is: 'seat' | 'cancel' | 'noShow' | 'unmark'; who: number }

export const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: placed('book') },
    { weight: 4, arbitrary: placed('move') },
    { weight: 2, arbitrary: about('seat') },
    { weight: 3, arbitrary: about('cancel') },
    { weight: 1, arbitrary: about('noShow') },
    { weight: 1, arbitrary: about('unmark') },
  ),
  { minLength: 2, maxLength: 9 },
)

interface Person {
  invitee: SampleInvitee
  meeting: Meeting
  status: 'confirmed' | 'canceled' | 'rescheduled'
  noShow: boolean
  marks: number
  markedAt: string
}

interface Meeting {
  id: string
  host: string
  start: number
}

export interface History {
  deliveries: SampleDelivery[]
  /** What is true in the end: `id status noShow`, sorted. */
  bookings: string[]
  /** Which meeting has which host at which start in the end: `host@start`. */
  slots: Map<string, string>
  /** Whether two meetings ever had one slot at a time. */
  isDoubleBooked: boolean
}

/** The deliveries of these actions, and what they should come to. `mayDoubleBook` lets the provider give one slot away twice. */
export function history(did: Action[], account: string, mayDoubleBook: boolean): History {
  const people: Person[] = []
  const deliveries: SampleDelivery[] = []
  const began = Date.UTC(2027, 0, 1)
  let minutes = 0
  let count = 0
  let isDoubleBooked = false

  const active = () => people.filter(person => person.status === 'confirmed')
  const pick = (from: Person[], who: number) => from[who % Math.max(from.length, 1)]
  const slotOf = ({ host, start }: Meeting) => `${host}@${start}`
  const isTaken = (meeting: Meeting) =>
    active().some(one => one.meeting.id !== meeting.id && slotOf(one.meeting) === slotOf(meeting))
  const startsAt = (start: number) => new Date(began + (240 + start) * 3_600_000)
  const at = () => new Date(began + minutes * 60_000)
  const send = (event: string, person: Person, more: Partial<SampleInvitee> = {}) =>
    deliveries.push(
      calendlyDelivery({
        key: signingKey,
        account,
        event,
        at: at(),
        invitee: { ...person.invitee, ...more },
        noShow: markOf(person),
        // Calendly shows the mark in whatever it sends of a marked invitee.
        ...(person.noShow && event.startsWith('invitee.')
          ? { payload: { no_show: { uri: markUri(person), created_at: person.markedAt } } }
          : {}),
      }),
    )
  const join = (meeting: Meeting, oldInvitee?: SampleInvitee): Person => {
    const id = `IN${++count}`
    const invitee: SampleInvitee = {
      id,
      meeting: meeting.id,
      hosts: [meeting.host],
      startsAt: startsAt(meeting.start),
      bookedAt: at(),
      seats: { limit: 10, active: 1 },
      ...(oldInvitee ? { oldInvitee } : {}),
    }
    const person: Person = { invitee, meeting, status: 'confirmed', noShow: false, marks: 0, markedAt: '' }
    if (isTaken(meeting)) isDoubleBooked = true
    people.push(person)
    return person
  }

  for (const action of did) {
    minutes += 1
    switch (action.is) {
      case 'book': {
        const meeting = { id: `EV${count + 1}`, host: `US${action.host}`, start: action.start }
        if (mayDoubleBook || !isTaken(meeting)) send('invitee.created', join(meeting))
        break
      }
      case 'seat': {
        const other = pick(active(), action.who)
        if (other) send('invitee.created', join(other.meeting))
        break
      }
      case 'cancel': {
        const person = pick(active(), action.who)
        if (!person) break
        person.status = 'canceled'
        send('invitee.canceled', person)
        break
      }
      case 'move': {
        const person = pick(active(), action.who)
        if (!person) break
        const meeting = { id: `EV${count + 1}`, host: `US${action.host}`, start: action.start }
        person.status = 'rescheduled'
        if (!mayDoubleBook && isTaken(meeting)) {
          person.status = 'confirmed'
          break
        }
        const next = join(meeting, person.invitee)
        send('invitee.canceled', person, { newInvitee: next.invitee })
        send('invitee.created', next)
        break
      }
      case 'noShow':
      case 'unmark': {
        const person = pick(people, action.who)
        if (!person || person.noShow === (action.is === 'noShow')) break
        person.noShow = action.is === 'noShow'
        if (person.noShow) {
          person.marks += 1
          person.markedAt = at().toISOString()
        }
        send(person.noShow ? 'invitee_no_show.created' : 'invitee_no_show.deleted', person)
      }
    }
  }
  return {
    deliveries,
    bookings: people.map(({ invitee, status, noShow }) => `${invitee.id} ${status} ${noShow}`).sort(),
    slots: new Map(active().map(({ meeting }) => [slotOf(meeting), meeting.id])),
    isDoubleBooked,
  }
}

function markOf({ invitee, marks }: Person): string {
  return `NS${invitee.id}x${marks}`
}

function markUri(person: Person): string {
  return `https://api.calendly.com/invitee_no_shows/${markOf(person)}`
}

/** A booking as `History.bookings` writes it; one that waits for its slot is confirmed all the same. */
export function asTruth({ id, status, noShow }: { id: string; status: string; noShow: boolean }): string {
  return `${shortId(id)} ${status === 'conflict' ? 'confirmed' : status} ${noShow}`
}

function placed(is: 'book' | 'move') {
  return fc.record({ is: fc.constant(is), who: fc.nat(20), host: fc.nat(1), start: fc.nat(2) })
}

function about(is: 'seat' | 'cancel' | 'noShow' | 'unmark') {
  return fc.record({ is: fc.constant(is), who: fc.nat(20) })
}
