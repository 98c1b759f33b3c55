import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SampleDelivery } from '@booking-webhooks/core'
import type { KnexStoreOptions } from '@booking-webhooks/knex'
import type { LaneNote } from './watched-store.js'

export interface MemberOptions {
  database: string
  store?: Omit<KnexStoreOptions, 'now'>
  signingKey: string
  /** The file to which callbacks append. */
  notes: string
  receives: boolean
  works: boolean
  leaseMs: number
  callbackMs?: number
  /** The file to which errors that are logged are appended. */
  errors?: string
  /** The file to which the store appends what was done to lanes; see `watchedStore`. */
  lanes?: string
  /** The first run for about one event of so many hangs for so long, and with it the whole process. */
  hangs?: { oneOf: number; forMs: number }
  /** How often a subscriber is told before its tell is dead, and the gaps. */
  attempts?: number
  backoff?: { baseMs: number; capMs: number }
  /** A callback for a booking with this end of its id kills its process. */
  poison?: string
  /** The option `resources` kills the process where a host has this end of its id. */
  poisonHost?: string
  /** How wrong the process's clock is. */
  skewMs?: number
  /** See `dyingStore`. */
  dieAt?: number
}

export interface Note {
  what: 'began' | 'done'
  at: number
  pid: number
  event: string
  type: string
  booking: string
  thread: string
  startsAt: string | null
  previous: string | null
  attempt: number
  replay: boolean
}

/** A running process of a crash test. */
export interface Member {
  pid: number
  /** Resolves with the port once it takes requests. */
  port: Promise<number>
  ready: Promise<void>
  /** Resolves when it has ended, however. */
  gone: Promise<void>
  kill(): void
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function startMember(options: MemberOptions, environment: NodeJS.ProcessEnv = {}): Member {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--enable-source-maps', join(import.meta.dirname, 'member.js'), JSON.stringify(options)],
    {
      stdio: ['ignore', 'pipe', process.env.SHOW_MEMBERS ? 'inherit' : 'ignore'],
      env: { ...process.env, ...environment },
    },
  )
  running.add(child)
  const gone = new Promise<void>(resolve =>
    child.once('exit', () => {
      running.delete(child)
      resolve()
    }),
  )
  const said = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      lines.on('line', line => {
        const match = pattern.exec(line)
        if (match) resolve(match[1] ?? '')
      })
      void gone.then(() => reject(new Error(`a member ended before it said ${pattern}`)))
    })
  const lines = createInterface({ input: child.stdout! })
  const port = said(/^listening (\d+)$/).then(Number)
  const ready = said(/^ready$/).then(() => {})
  port.catch(() => {})
  ready.catch(() => {})
  return {
    pid: child.pid!,
    port,
    ready,
    gone,
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** A folder with a database file and a notes file of its own. */
export function scene() {
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
  const notes = join(directory, 'notes')
  const lanes = join(directory, 'lanes')
  const errors = join(directory, 'errors')
  return {
    directory,
    sqlite: join(directory, 'test.db'),
    notes,
    lanes,
    errors,
    read: (): Note[] => linesOf(notes),
    readLanes: (): LaneNote[] => linesOf(lanes),
    readErrors: (): { message: string }[] => linesOf(errors),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Whole lines: another process may be in the middle of the last one. */
function linesOf<Line>(file: string): Line[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

/** Posts as a provider does; null where no answer came. */
export async function post(port: number, delivery: SampleDelivery): Promise<number | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/webhooks${delivery.path}`, {
      method: 'POST',
      headers: delivery.headers,
      body: delivery.body,
      signal: AbortSignal.timeout(10_000),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return null
  }
}

/** Resolves when `isSo` holds; rejects after `withinMs`. */
export async function until(isSo: () => boolean | Promise<boolean>, withinMs = 15_000): Promise<void> {
  const end = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it did not come to pass in time')
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}
