import { type AcuityAppointment, type AcuityOptions, acuity } from '@booking-webhooks/acuity'
import { acuityDelivery, type FakeAcuity, startFakeAcuity } from '@booking-webhooks/acuity/testing'
import { type BookingRow, type EventRow, formatInstant, type SampleDelivery } from '@booking-webhooks/core'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { type Workbench, type WorkbenchOptions, workbench } from '../support/workbench.js'

export const id = 510200301
export const authorization = 'Basic MTAwMDAwMTp0ZXN0LWtleS0x'

type Put = Partial<AcuityAppointment> & Record<string, unknown>

/** An inbox for Acuity alone on SQLite, the fake of its API, and one clock for both sides of the store. */
export interface Studio extends Workbench {
  adapter: ReturnType<typeof acuity>
  fake: FakeAcuity
  clock: { now: Date; pass(ms: number): void }
  /** Changes the appointment, if at all, then delivers the poke; nothing is settled yet. */
  poke(action: string, changes?: Put): Promise<number>
  /** As `poke`, and works until nothing is due. */
  settle(action: string, changes?: Put): Promise<void>
  /** `type startsAt`, in the order told. */
  heard(): string[]
  outcomes(): Promise<(string | null)[]>
  events(): Promise<EventRow[]>
  booking(number?: number): Promise<BookingRow | undefined>
  /** `calendar start meeting` of each slot that is held, read past the library. */
  slots(): string[]
  end(): Promise<void>
}

export type StudioOptions = WorkbenchOptions & { acuity?: Partial<AcuityOptions>; fake?: FakeAcuity }

export async function studio({ acuity: options, fake: given, ...more }: StudioOptions = {}): Promise<Studio> {
  const fake = given ?? (await startFakeAcuity({ authorization }))
  const clock: Studio['clock'] = {
    now: new Date('2027-03-01T14:05:00Z'),
    pass(ms) {
      this.now = new Date(this.now.getTime() + ms)
    },
  }
  const adapter = acuity({
    apiKey: 'test-key-1',
    userId: '1000001',
    apiUrl: fake.url,
    since: '2027-02-01T00:00:00Z',
    requestsPerSecond: 10_000,
    ...options,
  })
  const bench = workbench({
    providers: [adapter],
    now: () => clock.now,
    store: { now: () => clock.now.getTime() * 1000 },
    fetchBackoff: { baseMs: 1, capMs: 1 },
    ...more,
  })
  const poke = async (action: string, changes: Put = {}): Promise<number> => {
    const appointment = fake.put({ id, ...changes })
    const delivery: SampleDelivery = acuityDelivery({ key: 'test-key-1', action, appointment })
    return (await bench.deliver(delivery)).status
  }
  const events = async () => (await bench.inbox.events({}, { limit: 1_000 })).rows.reverse()
  return {
    ...bench,
    adapter,
    fake,
    clock,
    poke,
    async settle(action, changes) {
      await poke(action, changes)
      await bench.inbox.drain()
    },
    heard: () =>
      bench.told.map(({ event }) => `${event.type} ${event.booking?.startsAt?.slice(0, 16) ?? '-'}`),
    events,
    outcomes: async () => (await events()).map(row => row.outcome),
    booking: async (number = id) =>
      (await bench.inbox.bookings({ booking: String(number) })).rows.find(row => row.id === String(number)),
    slots() {
      const database = new Database(bench.database, { readonly: true })
      const rows = database
        .prepare('SELECT resource, starts_us, meeting_id FROM booking_webhooks_slots')
        .all()
      database.close()
      return (rows as { resource: string; starts_us: number; meeting_id: string }[])
        .map(
          row =>
            `${row.resource.split('/')[2]} ${formatInstant(row.starts_us).slice(0, 16)} ${row.meeting_id}`,
        )
        .sort()
    },
    async end() {
      await bench.close()
      if (!given) await fake.close()
      // Whatever the test was about: no line of any log may hold a secret or a guest's data.
      const said = JSON.stringify(bench.lines)
      for (const secret of [
        'test-key-1',
        authorization.slice(6),
        'EXAMPLE',
        'schedule.php',
        'Lindqvist',
        '@example.com',
      ])
        expect(said).to.not.contain(secret)
    },
  }
}
