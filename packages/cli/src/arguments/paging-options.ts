import type { Command } from 'commander'
import { wholeNumber } from './whole-number.js'

export interface PagingOptions {
  limit: number
  all?: boolean
}

export function addPagingOptions(command: Command): Command {
  return command
    .option('--limit <number>', 'how many, newest first', wholeNumber(1), 50)
    .option('--all', 'all of them')
}

export function limitFrom({ limit, all }: PagingOptions): number {
  return all ? Number.POSITIVE_INFINITY : limit
}
