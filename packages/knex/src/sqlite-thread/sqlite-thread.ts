import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Database as Connection } from 'better-sqlite3'
import { checkpoint, flushed } from '../dialects/sqlite-pragmas.js'
import type { Answer, Request, Thrown } from './messages.js'
import type { Opening } from './opening-of.js'
import { recordBatch } from './record-batch.js'

// The entry of the thread that stores events: one batch after another, on a connection of its own.

/** Another process that writes is waited for here, where nobody else waits; in milliseconds. */
const busyTimeoutMs = 250

if (!parentPort) throw new Error('This module is run as a thread.')
const port = parentPort
const connection = open(workerData)
port.on('message', (request: Request) => {
  if (request === 'close') {
    connection.close()
    // What the process preloads may keep the thread alive.
    process.exit()
  } else answer(() => recordBatch(connection, request))
})
answer(() => [])

function open({ driver, filename, nativeBinding }: Opening): Connection {
  const Driver: new (filename: string, options: object) => Connection = createRequire(driver)(driver)
  const opened = new Driver(filename, { nativeBinding, fileMustExist: true, timeout: busyTimeoutMs })
  for (const pragma of [flushed, checkpoint]) opened.pragma(pragma)
  return opened
}

function answer(work: () => number[]): void {
  let said: Answer
  try {
    said = { counts: work() }
  } catch (error) {
    said = { thrown: thrown(error) }
  }
  port.postMessage(said)
}

function thrown(error: unknown): Thrown {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, code } = error as NodeJS.ErrnoException
  return { name, message, code }
}
