import type { Command } from 'commander'
import { examples } from '../arguments/examples.js'
import { addFilterOptions, type FilterOptions, filterFrom } from '../arguments/filter-options.js'
import { databaseOption, jsonOption, type SharedOptions } from '../arguments/shared-options.js'
import { replay } from '../replay/replay.js'
import { addReplayOptions, type ReplayOptions } from '../replay/replay-options.js'
import type { Act } from '../run.js'

/** `replay`: marks events to run again. */
export function addReplay(program: Command, act: Act): void {
  const command = program
    .command('replay')
    .description('tell stored events again: marks them, and a running serve (or worker) tells them')
  addReplayOptions(addFilterOptions(command))
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks replay --event evt_4899cbfe9c83ac21a97d25c4c936cb7a', 'one event'],
        ['booking-webhooks replay --from 2027-03-01 --to 2027-03-02 --dry-run', 'what a day would be'],
        ['booking-webhooks replay --outcome unreadable --wait', 'after a fix, with a progress bar'],
        ['booking-webhooks replay --subscriber crm', 'history for a new subscriber'],
      ),
    )
    .action((options: FilterOptions & ReplayOptions & SharedOptions) =>
      act(replay(filterFrom(options), options)),
    )
}
