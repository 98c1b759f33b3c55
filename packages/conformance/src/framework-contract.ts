import type { Inbox, Log, LogFields } from '@booking-webhooks/core'
import { answersContract } from './framework/answers.js'
import { bodiesContract } from './framework/bodies.js'
import { clientsContract } from './framework/clients.js'
import { pathsContract } from './framework/paths.js'
import type { TestFunctions } from './test-functions.js'

/** What the contract asks of an inbox. */
export interface InboxWanted {
  maxBodyBytes?: number
  bodyTimeoutMs?: number
  log: Log
  /** Called for every event told. */
  subscriber?: () => Promise<void>
}

/** A framework's door on a real server, over a real inbox. */
export interface FrameworkUnderTest {
  /** Starts a server with the inbox mounted at `/webhooks` and an app behind it that answers everything else with 404 and `the app`. */
  serve(inbox: Inbox): Promise<Server>
  /** An inbox of one provider over an empty store. */
  inbox(wanted: InboxWanted): Promise<Inbox>
  /** The n-th of different bodies that its provider sends. */
  body(n: number): Uint8Array
  /** The headers that its provider signs these bytes with. */
  sign(body: Uint8Array): Record<string, string>
}

export interface Server {
  port: number
  close(): Promise<void>
}

export interface Line {
  level: keyof Log
  message: string
  fields: LogFields
}

/** A server that runs for one test. */
export interface Running {
  port: number
  inbox: Inbox
  /** The one provider's path: `/webhooks/<provider>`. */
  path: string
  lines: Line[]
}

/** Runs one test against a fresh server; `change` may break its inbox. */
export type Run = (
  test: (running: Running) => Promise<void>,
  wanted?: Omit<InboxWanted, 'log'>,
  change?: (inbox: Inbox) => Inbox,
) => Promise<void>

/** What providers may rely on, whichever framework receives: a framework's package is done when it passes. */
export function frameworkContract(tests: TestFunctions, name: string, framework: FrameworkUnderTest): void {
  const run: Run = async (test, wanted = {}, change = inbox => inbox) => {
    const lines: Line[] = []
    const made = await framework.inbox({ ...wanted, log: collect(lines) })
    const inbox = change(made)
    const server = await framework.serve(inbox)
    try {
      await test({ port: server.port, inbox, path: `/webhooks/${inbox.providers[0]}`, lines })
    } finally {
      await server.close()
      await made.close()
    }
  }

  tests.describe(`${name} as a door`, () => {
    answersContract(tests, run, framework)
    pathsContract(tests, run, framework)
    bodiesContract(tests, run, framework)
    clientsContract(tests, run, framework)
  })
}

function collect(lines: Line[]): Log {
  const at =
    (level: keyof Log) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields })
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
