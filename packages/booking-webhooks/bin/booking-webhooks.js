#!/usr/bin/env node
import { run } from '@booking-webhooks/cli'

process.exitCode = await run(process.argv.slice(2))
