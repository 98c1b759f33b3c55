import type { EventRow } from '@booking-webhooks/core'
import type { Command } from 'commander'
import { examples } from '../arguments/examples.js'
import { addFilterOptions, type FilterOptions, filterFrom } from '../arguments/filter-options.js'
import { addPagingOptions, limitFrom, type PagingOptions } from '../arguments/paging-options.js'
import { databaseOption, jsonOption, type SharedOptions } from '../arguments/shared-options.js'
import { exitCode } from '../exit-code.js'
import { briefId, briefInstant } from '../print/brief.js'
import { printRows } from '../print/print-rows.js'
import type { Column } from '../print/table.js'
import { rowsOf } from '../rows-of.js'
import type { Act } from '../run.js'
import { withStore } from '../with-store.js'

type EventsOptions = SharedOptions & FilterOptions & PagingOptions

/** `events`: the ledger, newest first. */
export function addEvents(program: Command, act: Act): void {
  const command = program.command('events').description('the ledger: what came, and what became of it')
  addPagingOptions(addFilterOptions(command))
    .option('--subscriber <name>', 'what one subscriber is told; with --status, how that stands')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks events', 'the last 50'],
        ['booking-webhooks events --outcome conflict --status waiting', 'who waits for a slot'],
        ['booking-webhooks events --from 2027-03-01 --all --json', 'everything since March, for jq'],
      ),
    )
    .action((options: EventsOptions) => act(events(options)))
}

async function events(options: EventsOptions): Promise<number> {
  await withStore(options.database, store =>
    printRows(
      rowsOf(
        page => store.events({ ...filterFrom(options), subscriber: options.subscriber }, page),
        limitFrom(options),
      ),
      { json: options.json, columns, none: 'No events.' },
    ),
  )
  return exitCode.done
}

const columns: Column<EventRow>[] = [
  { title: 'received', show: row => briefInstant(row.receivedAt) },
  { title: 'event', show: row => row.id },
  { title: 'type', show: row => row.type ?? row.providerType },
  { title: 'booking', show: row => briefId(row.bookingId) },
  { title: 'came', show: row => `${row.deliveries}×` },
  { title: 'status', show: row => row.status },
  { title: 'outcome', show: row => row.outcome },
  { title: 'reason', show: whatNow, width: 50 },
]

/** An error that was overcome is no news. */
function whatNow({ status, lastError, reason }: EventRow): string | null {
  return status === 'done' ? reason : (lastError ?? reason)
}
