import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(
  new URL('../../../packages/booking-webhooks/bin/booking-webhooks.js', import.meta.url),
)

export interface CommandOptions {
  /** Everything that the process finds in its environment, beside PATH. */
  environment?: Record<string, string>
  cwd?: string
  input?: string | Uint8Array
}

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** Starts the command in a process of its own, as a shell would. */
export function start(args: readonly string[], { environment = {}, cwd }: CommandOptions = {}) {
  return spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: 'pipe',
  })
}

/** Runs the command to its end. */
export async function command(args: readonly string[], options: CommandOptions = {}): Promise<Ran> {
  const child = start(args, options)
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', text => {
      output[name] += text
    })
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { code, ...output }
}
