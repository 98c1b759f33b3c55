import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface WorkerOptions {
  database: string
  signingKey: string
  /** The URL to which its subscriber posts. */
  target: string
  secret: string
  /** The file to which it appends what onAlert hears. */
  alerts: string
  diesBeforeHandOver?: boolean
}

export interface HeardAlert {
  kind: 'alert' | 'recovered'
  consecutiveFailures: number
  pid: number
}

export interface Worker {
  ready: Promise<void>
  /** Resolves when it has ended, however. */
  gone: Promise<void>
  stop(): Promise<void>
}

export function startWorker(options: WorkerOptions): Worker {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'worker.js'), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', () => resolve())
    void gone.then(() => reject(new Error('the worker ended before it was ready')))
  })
  ready.catch(() => {})
  return {
    ready,
    gone,
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

export function heardAlerts(file: string): HeardAlert[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}

/** What a target was asked, and what it answered. */
export interface Asked {
  at: number
  booking: string
  type: string
  isTaken: boolean
}

/** A target that takes only what it is told to. */
export async function startTarget(): Promise<{
  url: string
  asked: Asked[]
  setTakes(takes: (booking: string) => boolean): void
  stop(): Promise<void>
}> {
  const asked: Asked[] = []
  let takes = (_booking: string) => true
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      const { type, booking } = JSON.parse(body)
      const isTaken = takes(booking.id)
      asked.push({ at: Date.now(), booking: booking.id, type, isTaken })
      response.writeHead(isTaken ? 200 : 503).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    setTakes(next) {
      takes = next
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
