import { isDeepStrictEqual } from 'node:util'
import type { BookingDetails, Location } from '../event/booking.js'
import { noDetails } from '../event/no-details.js'

/** Tells of a detail, by name and value, whether it only adds to what is known: nothing was known there, or a place without its URL. */
export function newDetails(known: BookingDetails): (detail: [name: string, value: unknown]) => boolean {
  const nothing: Record<string, unknown> = { ...noDetails() }
  const all: Record<string, unknown> = { ...known }
  return ([name, value]) =>
    isDeepStrictEqual(all[name], nothing[name]) || (name === 'location' && isSamePlace(known.location, value))
}

function isSamePlace(known: Location | null, told: unknown): boolean {
  return known?.url === null && isDeepStrictEqual(known, { ...(told as Location | null), url: null })
}
