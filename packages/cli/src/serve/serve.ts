import { createInbox, type Inbox, type InboxOptions, standardErrorLog } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'
import {
  databaseFrom,
  type Environment,
  type EnvironmentAdapter,
  forwardFrom,
  providersFrom,
} from '../environment/index.js'
import { app } from './app.js'
import { listen } from './listen.js'
import { portFrom } from './port.js'

/** The command's options, parsed. */
export interface ServeOptions {
  database?: string
  port?: number
  host: string
  path: string
  forwardTo?: string
  backoffBase: number
  backoffCap: number
  attempts: number
  timeout: number
  concurrency: number
  dispatch: boolean
  receive: boolean
}

export interface Serving {
  inbox: Inbox
  /** Null for a worker that was given no port. */
  url: string | null
  /** Answers the requests that run, finishes the tells that run, and lets go of the rest. */
  close(): Promise<void>
}

/** Opens the database, works and listens. Rejects where the database cannot be opened: a supervisor should see that, and try again. */
export async function serve(
  options: ServeOptions,
  environment: Environment,
  {
    log = standardErrorLog,
    subscribers = {},
  }: Pick<InboxOptions<EnvironmentAdapter[]>, 'log' | 'subscribers'> = {},
): Promise<Serving> {
  const { host, path, receive, dispatch, attempts, timeout: timeoutMs, concurrency } = options
  const backoff = { baseMs: options.backoffBase, capMs: options.backoffCap }
  const forward = dispatch && forwardFrom(environment, { url: options.forwardTo, timeoutMs })
  const port = portFrom(options, environment)
  const inbox = createInbox({
    providers: providersFrom(environment),
    store: knexStore(options.database ?? databaseFrom(environment)),
    subscribers: forward ? { ...subscribers, forward } : subscribers,
    dispatch,
    attempts,
    backoff,
    concurrency,
    log,
  })
  try {
    await inbox.start()
    const listening = port === null ? null : await listen(app(inbox, { path, receive }), { host, port })
    return {
      inbox,
      url: listening?.url ?? null,
      async close() {
        await listening?.close()
        await inbox.close()
      },
    }
  } catch (error) {
    await inbox.close()
    throw error
  }
}
