import type { IncomingMessage } from 'node:http'
import type { Adapter } from '../adapter/adapter.js'
import { below } from '../http/below.js'
import type { Inbox } from '../inbox/inbox.js'
import type { InboxOptions } from '../inbox/inbox-options.js'
import { type Middleware, middleware } from './middleware.js'
import { pathOf } from './path-of.js'
import type { Left } from './read-body.js'

export interface MountOptions {
  /** What stands before `/<provider>` in the path. Default: nothing. */
  path?: string
}

/** Receives webhooks in a plain `node:http` server, or anything that takes `(request, response, next)`. Throws INVALID_OPTION. */
export function bookingWebhooks<const Adapters extends readonly Adapter[], Transaction>(
  given: InboxOptions<Adapters, Transaction> | Inbox,
  { path: mount = '' }: MountOptions = {},
): Middleware<IncomingMessage & Left> {
  return middleware(given, (request: IncomingMessage & Left) => {
    const path = below(mount, pathOf(request.url))
    return path === null ? null : { mount, path, left: request, parser: () => null }
  })
}
