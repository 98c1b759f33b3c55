import { run } from '@booking-webhooks/cli'
import type { Ran } from './command.js'

/** Runs the command in this process, for the many cases that need no process of their own. */
export async function runHere(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ran> {
  const output = { stdout: '', stderr: '' }
  const { env } = process
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write }
  const catchUp = (name: 'stdout' | 'stderr') => {
    process[name].write = text => {
      output[name] += text
      return true
    }
  }
  process.env = { ...environment }
  catchUp('stdout')
  catchUp('stderr')
  try {
    return { code: await run(args), ...output }
  } finally {
    process.env = env
    process.stdout.write = writes.stdout
    process.stderr.write = writes.stderr
  }
}
