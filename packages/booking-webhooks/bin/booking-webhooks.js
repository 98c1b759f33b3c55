#!/usr/bin/env node
import { run } from '@booking-webhooks/cli'

// `events --all | head` closes the pipe early, and that is no error.
process.stdout.on('error', error => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
process.exitCode = await run(process.argv.slice(2))
