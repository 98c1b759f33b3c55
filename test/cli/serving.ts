import { type CommandOptions, start } from './command.js'

export interface Serving {
  url: string
  /** Standard error so far, its JSON lines parsed. */
  log(): Record<string, unknown>[]
  stdout(): string
  /** Asks it to stop and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `serve` on a free port in a process of its own and waits until it listens. */
export async function serving(args: readonly string[], options: CommandOptions): Promise<Serving> {
  const child = start(['serve', '--port', '0', ...args], options)
  const output = { stdout: '', stderr: '' }
  const exited = new Promise<number | null>(resolve => child.on('close', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', text => {
      output.stderr += text
    })
    child.stdout.setEncoding('utf8').on('data', text => {
      output.stdout += text
      const listening = /^listening on (http:\S+)$/m.exec(output.stdout)
      if (listening) resolve(listening[1])
    })
    exited.then(code => reject(new Error(`serve ended with ${code}: ${output.stderr}`)))
  })
  return {
    url,
    stdout: () => output.stdout,
    log: () =>
      output.stderr
        .split('\n')
        .filter(line => line.startsWith('{'))
        .map(line => JSON.parse(line)),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
  }
}

/** Waits until `look` returns something other than null; mocha's time-out ends it. */
export async function until<Found>(look: () => Promise<Found | null> | Found | null): Promise<Found> {
  for (;;) {
    const found = await look()
    if (found !== null) return found
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}
