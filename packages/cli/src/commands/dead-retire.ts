import { type Retired, retire } from '@booking-webhooks/core'
import type { Command } from 'commander'
import { examples } from '../arguments/examples.js'
import { databaseOption, jsonOption, type SharedOptions } from '../arguments/shared-options.js'
import { exitCode } from '../exit-code.js'
import type { Act } from '../run.js'
import { withStore } from '../with-store.js'

/** `dead retire`: ends a subscriber that no process has any more. */
export function addDeadRetire(dead: Command, act: Act): void {
  dead
    .command('retire')
    .description('end a subscriber that no process has any more: what it was still to be told is taken back')
    .argument('<subscriber>', 'as `doctor` names it')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(['booking-webhooks dead retire crm', 'five minutes after it was taken out']),
    )
    .action((subscriber: string, options: SharedOptions) => act(end(subscriber, options)))
}

async function end(subscriber: string, { database, json }: SharedOptions): Promise<number> {
  const retired = await withStore(database, store => retire(store, subscriber))
  process.stdout.write(
    `${json ? JSON.stringify({ subscriber, ...retired }) : inWords(subscriber, retired)}\n`,
  )
  return exitCode.done
}

function inWords(subscriber: string, { pending, dead }: Retired): string {
  const callbacks = pending === 1 ? '1 callback' : `${pending} callbacks`
  const letters = dead === 1 ? '1 dead letter' : `${dead} dead letters`
  return `${subscriber} is told nothing any more. Taken back: ${callbacks} that it was still to hear, ${letters}.`
}
