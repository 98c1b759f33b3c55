import type { Adapter, SampleDelivery } from '@booking-webhooks/core'

export type Name = 'Ann' | 'Bob' | 'Cy'

/** One provider, driven by what people do; each deed returns what the provider sends of it. All bookings are with one host. */
export interface Driver {
  adapter: Adapter
  /** True where a booking that moves keeps its id. */
  movesInPlace: boolean
  /** Takes a time alone. */
  books(who: Name, startsAt: Date, at: Date): SampleDelivery[]
  /** Takes a seat in the one meeting of many. */
  joins(who: Name, startsAt: Date, at: Date): SampleDelivery[]
  moves(who: Name, startsAt: Date, at: Date): SampleDelivery[]
  cancels(who: Name, by: 'attendee' | 'host', at: Date): SampleDelivery[]
  /** The host marks a no-show, or takes the mark back. */
  marks(who: Name, noShow: boolean, at: Date): SampleDelivery[]
  /** Something verified that is about no booking. */
  elsewhere(at: Date): SampleDelivery[]
  /** The ids that a person's booking has had, oldest first. */
  ids(who: Name): string[]
  close(): Promise<void>
}

/** Opens a driver whose bookings have ids of their own, with nothing booked yet. */
export type DriverOf = () => Promise<Driver>

export function emailOf(who: Name): string {
  return `${who.toLowerCase()}@example.com`
}
