import type { BookingEvent, EventRow } from '@booking-webhooks/core'
import { type WorkbenchOptions, workbench } from '../support/workbench.js'
import { acuityDriver } from './acuity-driver.js'
import { calcomDriver } from './calcom-driver.js'
import { calendlyDriver } from './calendly-driver.js'
import type { Driver, DriverOf, Name } from './driver.js'

export type Provider = 'calendly' | 'calcom' | 'acuity'

export const drivers = {
  calendly: calendlyDriver,
  calcom: calcomDriver,
  acuity: acuityDriver,
} satisfies Record<Provider, DriverOf>
export const providers = Object.keys(drivers) as Provider[]

/** What happens at a provider; hours are those of one day to come. */
export type Deed = (driver: Driver, at: Date) => ReturnType<Driver['books']>

export const person = (name: Name) => ({
  books:
    (hour: number): Deed =>
    (driver, at) =>
      driver.books(name, on(hour), at),
  joins:
    (hour: number): Deed =>
    (driver, at) =>
      driver.joins(name, on(hour), at),
  moves:
    (hour: number): Deed =>
    (driver, at) =>
      driver.moves(name, on(hour), at),
  cancels: (): Deed => (driver, at) => driver.cancels(name, 'attendee', at),
  isCanceledByTheHost: (): Deed => (driver, at) => driver.cancels(name, 'host', at),
  doesNotCome: (): Deed => (driver, at) => driver.marks(name, true, at),
  cameAfterAll: (): Deed => (driver, at) => driver.marks(name, false, at),
})

export interface Stage {
  drivers: Record<Provider, Driver>
  /** Does deeds a minute apart at one provider; what it sends of each is delivered and settled before the next. */
  happen(provider: Provider, ...deeds: Deed[]): Promise<void>
  /** As `happen`, but it is all done before anything arrives, last deed first. */
  arriveInReverse(provider: Provider, ...deeds: Deed[]): Promise<void>
  told: BookingEvent[]
  /** What was told, in short: see `inShort`. */
  heard(): string[]
  events(): Promise<EventRow[]>
  close(): Promise<void>
}

/** One inbox on SQLite for all three providers, and one clock for all. */
export async function stage(options: WorkbenchOptions = {}): Promise<Stage> {
  const all = {
    calendly: await drivers.calendly(),
    calcom: await drivers.calcom(),
    acuity: await drivers.acuity(),
  }
  let now = new Date('2027-03-01T09:00:00Z')
  const bench = workbench({
    providers: providers.map(name => all[name].adapter),
    now: () => now,
    store: { now: () => now.getTime() * 1000 },
    ...options,
  })
  const perform = (provider: Provider, deed: Deed) => {
    now = new Date(now.getTime() + 60_000)
    return deed(all[provider], now)
  }
  const arrive = async (deliveries: ReturnType<Deed>) => {
    for (const delivery of deliveries) {
      const { status } = await bench.deliver(delivery)
      if (status !== 200) throw new Error(`${delivery.title} was answered ${status}`)
      await bench.inbox.drain()
    }
  }
  return {
    drivers: all,
    async happen(provider, ...deeds) {
      for (const deed of deeds) await arrive(perform(provider, deed))
    },
    async arriveInReverse(provider, ...deeds) {
      await arrive(deeds.flatMap(deed => perform(provider, deed)).reverse())
    },
    get told() {
      return bench.told.map(({ event }) => event)
    },
    heard: () => bench.told.map(({ event }) => inShort(event)),
    events: async () => (await bench.inbox.events({}, { limit: 100 })).rows.reverse(),
    async close() {
      await bench.close()
      for (const name of providers) await all[name].close()
    },
  }
}

/** `created Ann 9`, `rescheduled Ann 9 > 10`, `canceled Ann 9 by host`; of no booking the whole type. */
function inShort({ type, booking, previous, cancellation }: BookingEvent): string {
  if (!booking) return type
  const name = booking.attendee?.name?.split(' ')[0]
  const times = [previous?.startsAt, booking.startsAt].filter(time => time != null)
  const hours = times.map(time => new Date(time).getUTCHours()).join(' > ')
  const by = type === 'booking.canceled' && cancellation ? ` by ${cancellation.by}` : ''
  return `${type.replace('booking.', '')} ${name} ${hours}${by}`
}

function on(hour: number): Date {
  return new Date(Date.UTC(2027, 2, 10, hour))
}
