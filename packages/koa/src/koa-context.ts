import type { IncomingMessage } from 'node:http'
import type { Left } from '@booking-webhooks/core/node'

/** What is needed of Koa's context, the same in 2 and 3. */
export interface KoaContext {
  req: IncomingMessage & Left
  request: Left & { method: string }
  path: string
  /** Set by koa-mount. */
  mountPath?: string
  /** Set by @koa/router. */
  _matchedRoute?: unknown
  status: number
  body: unknown
  set(headers: Record<string, string>): void
}
