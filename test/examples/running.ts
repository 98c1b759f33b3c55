import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { until } from '../crash/members.js'

export const examples = join(import.meta.dirname, '../../../examples')

/** A script of an example that runs in a process of its own. */
export interface Running {
  /** Its standard output so far. */
  said(): string
  /** Resolves when it has said this; rejects with what it said instead. */
  says(text: string): Promise<void>
  /** Asks it to stop; rejects with what it said where it does not end well. */
  stop(): Promise<void>
}

/** Starts `<example>/<script>` as its README does. */
export function run(script: string, environment: NodeJS.ProcessEnv): Running {
  const file = join(examples, script)
  const child = spawn(process.execPath, [file], {
    cwd: dirname(file),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    output.stderr += text
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    said: () => output.stdout,
    says: text =>
      until(() => output.stdout.includes(text)).catch(() => {
        throw new Error(`${script} did not say "${text}", but: ${output.stdout}${output.stderr}`)
      }),
    async stop() {
      child.kill('SIGTERM')
      const code = await ended
      if (code !== 0) throw new Error(`${script} ended with ${code}: ${output.stdout}${output.stderr}`)
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
