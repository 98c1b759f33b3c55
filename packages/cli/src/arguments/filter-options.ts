import { type EventFilter, eventStatuses, invalidOption, type Micros, outcomes } from '@booking-webhooks/core'
import { type Command, Option } from 'commander'
import { instantUs } from './instant.js'

/** Which events are meant; the same for `events` and `replay`. */
export interface FilterOptions extends Omit<EventFilter, 'fromUs' | 'toUs'> {
  from?: Micros
  to?: Micros
  by: 'received' | 'occurred'
}

/** `--subscriber` is not among them: a replay means something else by it. */
export function addFilterOptions(command: Command): Command {
  return addFilterOptionsButStatus(command).addOption(
    new Option('--status <status>', 'where they stand').choices(eventStatuses),
  )
}

export function addFilterOptionsButStatus(command: Command): Command {
  return command
    .option('--event <id>', 'one event')
    .option('--booking <id>', 'events of one booking')
    .option('--provider <name>', 'calendly, calcom, acuity, or your own')
    .option('--account <name>', 'events of one account')
    .option('--type <type>', 'such as booking.created')
    .addOption(new Option('--outcome <outcome>', 'how they were decided').choices(outcomes))
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
  if (from !== undefined && to !== undefined && from >= to)
    throw invalidOption('--from must be earlier than --to, which is not included itself.')
  return { event, booking, provider, account, type, outcome, status, fromUs: from, toUs: to, by }
}
