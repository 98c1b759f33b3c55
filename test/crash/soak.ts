import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// The long forms, one after another: what every run of the tests does in a short form.
const files = ['crash/soak.test.js', 'crash/kill-at-each-step.test.js', 'inbox/slot-races.test.js']

const { status } = spawnSync(
  process.execPath,
  [
    createRequire(import.meta.url).resolve('mocha/bin/mocha.js'),
    ...files.map(file => join(import.meta.dirname, '..', file)),
  ],
  { env: { ...process.env, TEST_LONG: '1' }, stdio: 'inherit' },
)
process.exitCode = status ?? 1
