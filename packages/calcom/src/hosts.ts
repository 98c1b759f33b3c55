import {
  type Host,
  idOrNull,
  numberOrNull,
  objectOrNull,
  objectsIn,
  textOrNull,
} from '@booking-webhooks/core'
import type { CalcomPayload, CalcomPerson } from './payload.js'

/** The organizer first, then the other hosts of a team booking, each once. */
export function hostsOf(payload: CalcomPayload): Host[] {
  return uniqueHosts([organizerOf(payload), ...objectsIn<CalcomPerson>(payload.team?.members)])
}

/** As hosts, each once; who has no name, address or id is nobody. */
export function uniqueHosts(persons: (CalcomPerson | null)[]): Host[] {
  const hosts = new Map<string, Host>()
  for (const person of persons) {
    if (!person) continue
    const host = hostOf(person)
    const who = host.email?.toLowerCase() ?? host.id ?? host.name
    if (who !== null && !hosts.has(who)) hosts.set(who, host)
  }
  return [...hosts.values()]
}

/** What a booking occupies: its organizer alone, by number, else by address; null where the body names none. */
export function resourcesOf(organizer: CalcomPerson | null): string[] | null {
  if (!organizer) return null
  const id = numberOrNull(organizer.id)
  const email = textOrNull(organizer.email)
  if (id !== null) return [`user:${id}`]
  return email === null ? null : [`email:${email.trim().toLowerCase()}`]
}

/** Whether they are a host's address: the same host's number is another name. */
export function isByAddress(resources: readonly string[]): boolean {
  return resources.some(resource => resource.startsWith('email:'))
}

/** Who holds the meeting; `MEETING_*` have the row's user instead. */
export function organizerOf(payload: CalcomPayload): CalcomPerson | null {
  const organizer = objectOrNull<CalcomPerson>(payload.organizer)
  if (organizer) return organizer
  const user = objectOrNull<CalcomPerson>(payload.user)
  return user && { ...user, id: user.id ?? numberOrNull(payload.userId) ?? undefined }
}

function hostOf({ id, name, email }: CalcomPerson): Host {
  return {
    id: idOrNull(typeof id === 'number' ? String(id) : id),
    name: textOrNull(name),
    email: textOrNull(email),
  }
}
