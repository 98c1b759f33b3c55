import { objectOrNull, objectsIn, textOrNull } from '@booking-webhooks/core'
import type { CalcomAttendee, CalcomPayload } from './payload.js'

/** An attendee with an address, by which persons are told apart where the provider names no seat. */
export interface Person {
  /** The hashed address. */
  alias: string
  attendee: CalcomAttendee
}

/** Hashes text with the installation's secret. */
export type Hash = (text: string) => string

/** Cal.com compares addresses in lower case. */
export function aliasOf(email: string, hash: Hash): string {
  return hash(email.trim().toLowerCase())
}

/** Everyone listed who has an address, once each, in the order of the list. */
export function personsOf(payload: CalcomPayload, hash: Hash): Person[] {
  const byAlias = new Map<string, Person>()
  for (const attendee of objectsIn<CalcomAttendee>(payload.attendees)) {
    const email = textOrNull(attendee.email)
    if (email === null) continue
    const alias = aliasOf(email, hash)
    if (!byAlias.has(alias)) byAlias.set(alias, { alias, attendee })
  }
  return [...byAlias.values()]
}

/**
 * As `personsOf`, without those who were only brought along: they have no name, or stand in the answer `guests`. The first of the
 * list is who booked, also where that answer repeats the own address.
 */
export function bookersOf(payload: CalcomPayload, hash: Hash): Person[] {
  const persons = personsOf(payload, hash)
  const guests = new Set(guestsAnswered(payload).map(email => aliasOf(email, hash)))
  const [first] = objectsIn<CalcomAttendee>(payload.attendees)
  const bookers = persons.filter(
    ({ alias, attendee }) => textOrNull(attendee.name) && (attendee === first || !guests.has(alias)),
  )
  return bookers.length > 0 ? bookers : persons.slice(0, 1)
}

function guestsAnswered(payload: CalcomPayload): string[] {
  const answer = objectOrNull<Record<string, unknown>>(payload.responses)?.guests
  const guests = objectOrNull<{ value: unknown }>(answer)?.value ?? answer
  return Array.isArray(guests) ? guests.filter(guest => typeof guest === 'string') : []
}
