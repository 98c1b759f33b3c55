import type { ServerResponse } from 'node:http'
import type { Reply } from '../adapter/adapter.js'

/** Sends the reply, unless someone (a time-out middleware) has answered already. */
export function writeReply(response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.headersSent) return
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
