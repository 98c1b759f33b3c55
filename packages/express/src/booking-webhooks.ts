import type { Adapter, Inbox, InboxOptions } from '@booking-webhooks/core'
import {
  below,
  type Middleware,
  middleware,
  mountOfRoute,
  type Place,
  pathOf,
} from '@booking-webhooks/core/node'
import type { ExpressRequest } from './express-request.js'
import { parserOf } from './parser-of.js'

/** Receives webhooks below where it is mounted, in Express 4 and 5: `app.use('/webhooks', bookingWebhooks(…))`. Throws INVALID_OPTION. */
export function bookingWebhooks<const Adapters extends readonly Adapter[], Transaction>(
  given: InboxOptions<Adapters, Transaction> | Inbox,
): Middleware<ExpressRequest> {
  return middleware(given, placeOf)
}

/** `app.use()` strips the mount from the URL, a route (`app.post('/webhooks/:provider', …)`) does not. */
function placeOf(request: ExpressRequest, providers: readonly string[]): Place {
  const path = pathOf(request.url)
  const pattern = request.route?.path
  const mount = typeof pattern === 'string' ? mountOfRoute(pattern, providers) : ''
  return {
    mount: `${request.baseUrl ?? ''}${mount}`,
    path: below(mount, path) ?? path,
    left: request,
    parser: () => parserOf(request),
  }
}
