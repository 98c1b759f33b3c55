import type { EventRow, TellRow } from '@booking-webhooks/core'
import type { Command } from 'commander'
import { examples } from '../arguments/examples.js'
import { addFilterOptionsButStatus, type FilterOptions, filterFrom } from '../arguments/filter-options.js'
import { addPagingOptions, limitFrom, type PagingOptions } from '../arguments/paging-options.js'
import { databaseOption, jsonOption, type SharedOptions } from '../arguments/shared-options.js'
import { exitCode } from '../exit-code.js'
import { briefInstant } from '../print/brief.js'
import { printRows } from '../print/print-rows.js'
import type { Column } from '../print/table.js'
import { replay } from '../replay/replay.js'
import { addReplayOptions, type ReplayOptions } from '../replay/replay-options.js'
import { rowsOf } from '../rows-of.js'
import type { Act } from '../run.js'
import { withStore } from '../with-store.js'
import { addDeadRetire } from './dead-retire.js'

type Options = FilterOptions & SharedOptions

/** `dead`: the dead letters; `dead replay`: tells them again; `dead retire`: ends a subscriber that is no more. */
export function addDead(program: Command, act: Act): void {
  const dead = program
    .command('dead')
    .description('the dead letters: events whose attempts are used up')
    .enablePositionalOptions()
  addPagingOptions(addFilterOptionsButStatus(dead))
    .option('--subscriber <name>', 'those of one subscriber')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks dead', 'what died, and of what'],
        ['booking-webhooks dead replay --wait', 'tell all of it again'],
        ['booking-webhooks dead retire crm', 'end a subscriber that is no more'],
      ),
    )
    .action((options: Options & PagingOptions) => act(list(options)))

  const again = dead
    .command('replay')
    .description('tell dead letters again: the same as replay --status dead')
  addReplayOptions(addFilterOptionsButStatus(again))
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(['booking-webhooks dead replay --from 2027-03-01 --dry-run', 'only count']),
    )
    .action((options: Options & ReplayOptions) => act(replay(deadOf(options), options)))
  addDeadRetire(dead, act)
}

function deadOf(options: FilterOptions) {
  return { ...filterFrom(options), status: 'dead' as const }
}

async function list(options: Options & PagingOptions): Promise<number> {
  await withStore(options.database, async store => {
    const { subscriber } = options
    const filter = { ...deadOf(options), subscriber }
    const rows = rowsOf(page => store.events(filter, page), limitFrom(options))
    const none = 'No dead letters.'
    if (options.json) await printRows(rows, { json: true, columns: [], none })
    else await printRows(letters(rows, subscriber), { json: false, columns, none })
  })
  return exitCode.done
}

interface Letter {
  row: EventRow
  /** Null where the provider's API never gave what was needed. */
  tell: TellRow | null
}

/** An event may have died for one subscriber and not for another. */
async function* letters(
  rows: AsyncIterable<EventRow>,
  subscriber: string | undefined,
): AsyncGenerator<Letter> {
  for await (const row of rows) {
    const dead = row.tells.filter(
      tell => tell.status === 'dead' && (subscriber === undefined || tell.subscriber === subscriber),
    )
    if (dead.length === 0) yield { row, tell: null }
    for (const tell of dead) yield { row, tell }
  }
}

const columns: Column<Letter>[] = [
  { title: 'received', show: ({ row }) => briefInstant(row.receivedAt) },
  { title: 'event', show: ({ row }) => row.id },
  { title: 'type', show: ({ row }) => row.type ?? row.providerType },
  { title: 'for', show: ({ tell }) => tell?.subscriber ?? '(the fetch)' },
  { title: 'attempts', show: ({ row, tell }) => tell?.attempts ?? row.attempts },
  { title: 'last error', show: ({ row, tell }) => (tell ?? row).lastError, width: 50 },
]
