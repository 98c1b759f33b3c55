import type { BookingRow } from '@booking-webhooks/core'
import { type Command, Option } from 'commander'
import { examples } from '../arguments/examples.js'
import { addPagingOptions, limitFrom, type PagingOptions } from '../arguments/paging-options.js'
import { databaseOption, jsonOption, type SharedOptions } from '../arguments/shared-options.js'
import { exitCode } from '../exit-code.js'
import { briefInstant } from '../print/brief.js'
import { printRows } from '../print/print-rows.js'
import type { Column } from '../print/table.js'
import { rowsOf } from '../rows-of.js'
import type { Act } from '../run.js'
import { withStore } from '../with-store.js'

interface BookingsOptions extends SharedOptions, PagingOptions {
  booking?: string
  provider?: string
  account?: string
  thread?: string
  status?: string
}

const statuses = ['requested', 'confirmed', 'conflict', 'canceled', 'rejected', 'rescheduled']

/** `bookings`: the bookings as stored, newest change first. */
export function addBookings(program: Command, act: Act): void {
  const command = program
    .command('bookings')
    .description('the bookings as stored')
    .option('--booking <id>', 'one booking')
    .option('--provider <name>', 'calendly, calcom, acuity, or your own')
    .option('--account <name>', 'bookings of one account')
    .option('--thread <id>', 'the chain of bookings that reschedules joined')
    .addOption(new Option('--status <status>', 'how they stand').choices(statuses))
  addPagingOptions(command)
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks bookings', 'the last 50 that changed'],
        ['booking-webhooks bookings --status conflict', 'who waits for a slot that another holds'],
        ['booking-webhooks bookings --all --json | jq .id', 'all ids'],
      ),
    )
    .action((options: BookingsOptions) => act(bookings(options)))
}

async function bookings(options: BookingsOptions): Promise<number> {
  const { booking, provider, account, thread, status } = options
  await withStore(options.database, store =>
    printRows(
      rowsOf(
        page => store.bookings({ booking, provider, account, thread, status }, page),
        limitFrom(options),
      ),
      { json: options.json, columns, none: 'No bookings.' },
    ),
  )
  return exitCode.done
}

/** The id comes last, whole: it is what one copies, and long. */
const columns: Column<BookingRow>[] = [
  { title: 'starts', show: row => briefInstant(row.startsAt) },
  { title: 'status', show: row => row.status },
  { title: 'attendee', show: row => row.attendee?.name ?? row.attendee?.email ?? null, width: 24 },
  { title: 'provider', show: row => row.provider },
  { title: 'account', show: row => row.account },
  { title: 'changed', show: row => briefInstant(row.updatedAt) },
  { title: 'booking', show: row => row.id },
]
