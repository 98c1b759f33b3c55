import type { IncomingMessage } from 'node:http'

/** What is needed of Express's request, the same in 4 and 5. */
export interface ExpressRequest extends IncomingMessage {
  baseUrl?: string
  route?: { path?: unknown }
  body?: unknown
  rawBody?: unknown
}
