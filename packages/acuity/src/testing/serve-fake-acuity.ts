#!/usr/bin/env node
// node node_modules/@booking-webhooks/acuity/dist/testing/serve-fake-acuity.js --port 4010 --user 1000001 --key test-key-1
import { parseArgs } from 'node:util'
import { startFakeAcuity } from './fake-acuity.js'

const { values } = parseArgs({
  options: { port: { type: 'string' }, user: { type: 'string' }, key: { type: 'string' } },
})
const { port = '0', user, key } = values
const isGuarded = user !== undefined && key !== undefined
const fake = await startFakeAcuity({
  port: Number(port),
  authorization: isGuarded ? `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}` : null,
})
process.stdout.write(`listening on ${fake.url}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void fake.close())
