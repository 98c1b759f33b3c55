import { inWords } from '@booking-webhooks/core'
import type { Command } from 'commander'
import { examples } from '../arguments/examples.js'
import { databaseOption, jsonOption, type SharedOptions } from '../arguments/shared-options.js'
import { exitCode } from '../exit-code.js'
import type { Act } from '../run.js'
import { withStore } from '../with-store.js'

interface ExplainOptions extends SharedOptions {
  provider?: string
  account?: string
}

/** `explain`: the story of a booking and of those that reschedules join with it. */
export function addExplain(program: Command, act: Act): void {
  program
    .command('explain')
    .description('tell the story of a booking: what came, in which order, and what became of it')
    .argument('<bookingId>', 'as `bookings` shows it')
    .option('--provider <name>', 'whose booking, where several have one of this id')
    .option('--account <name>', 'of which account')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks explain bK3mPq7RtVwXyZ2aBcDeFg', 'in plain words'],
        ['booking-webhooks explain 510200301 --provider acuity --json', 'for a program'],
      ),
    )
    .action((bookingId: string, options: ExplainOptions) => act(explain(bookingId, options)))
}

async function explain(bookingId: string, options: ExplainOptions): Promise<number> {
  const { database, json, provider, account } = options
  const story = await withStore(database, store => store.explain(bookingId, { provider, account }))
  if (!story) {
    process.stderr.write(`booking-webhooks: Nothing is known of booking ${bookingId}.\n`)
    return exitCode.notSo
  }
  process.stdout.write(json ? `${JSON.stringify(story)}\n` : inWords(story))
  return exitCode.done
}
