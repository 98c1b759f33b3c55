import type { EventFilter, EventStatus, Micros, Outcome } from '@booking-webhooks/core'
import { type Command, Option } from 'commander'
import { instantUs } from './instant.js'

/** Which events are meant; the same for `events` and `replay`. */
export interface FilterOptions {
  event?: string
  booking?: string
  provider?: string
  account?: string
  type?: string
  outcome?: Outcome
  status?: EventStatus
  from?: Micros
  to?: Micros
  by: 'received' | 'occurred'
}

const outcomes: readonly Outcome[] = [
  'accepted',
  'unchanged',
  'stale',
  'refused',
  'superseded',
  'conflict',
  'ignored',
  'unreadable',
]
const statuses: readonly EventStatus[] = ['pending', 'waiting', 'done', 'dead']

export function addFilterOptions(command: Command): Command {
  return command
    .option('--event <id>', 'one event')
    .option('--booking <id>', 'events of one booking')
    .option('--provider <name>', 'calendly, calcom, acuity, or your own')
    .option('--account <name>', 'events of one account')
    .option('--type <type>', 'such as booking.created')
    .addOption(new Option('--outcome <outcome>', 'how they were decided').choices(outcomes))
    .addOption(new Option('--status <status>', 'where they stand').choices(statuses))
    .option('--from <instant>', 'from this instant on (ISO 8601)', instantUs)
    .option('--to <instant>', 'before this instant', instantUs)
    .addOption(
      new Option('--by <time>', 'which time --from and --to look at')
        .choices(['received', 'occurred'])
        .default('received'),
    )
}

export function filterFrom(options: FilterOptions): EventFilter {
  const { event, booking, provider, account, type, outcome, status, from, to, by } = options
  return { event, booking, provider, account, type, outcome, status, fromUs: from, toUs: to, by }
}
