import type { ReplayOptions as CoreOptions } from '@booking-webhooks/core'
import type { Command } from 'commander'

/** What `replay` and `dead replay` take beside a filter. */
export interface ReplayOptions extends Pick<CoreOptions, 'dryRun' | 'fresh' | 'overtaken' | 'subscriber'> {
  wait?: boolean
}

export function addReplayOptions(command: Command): Command {
  return command
    .option('--subscriber <name>', 'tell only this one, also what it never heard')
    .option('--dry-run', 'only count')
    .option('--fresh', 'let steps that once() has finished run again')
    .option('--overtaken', 'tell also of bookings that have since ended or moved')
    .option('--wait', 'show how far it is, until all is told; exit 1 if anything ends as a dead letter')
}
