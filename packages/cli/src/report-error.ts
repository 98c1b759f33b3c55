import { isBookingWebhooksError } from '@booking-webhooks/core'
import { CommanderError } from 'commander'
import { exitCode } from './exit-code.js'

/** Says on standard error what went wrong, in one line, and returns the exit code for it. */
export function reportError(error: unknown): number {
  // Commander has said it already; help that was asked for is no error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`booking-webhooks: ${message}\n`)
  return isBookingWebhooksError(error, 'INVALID_OPTION') ? exitCode.usage : exitCode.notSo
}
