import type { Adapter } from '../adapter/adapter.js'
import { below } from '../http/below.js'
import { mounted, type Webhooks } from '../http/mounted.js'
import { respond } from '../http/respond.js'
import type { Inbox } from '../inbox/inbox.js'
import type { InboxOptions } from '../inbox/inbox-options.js'
import { reply } from '../receive/answer.js'
import { readBody } from './read-body.js'

export interface MountOptions {
  /** What stands before `/<provider>` in the path. Default: nothing. */
  path?: string
}

/** Answers a `Request`; 404 for what is not below its mount. Never rejects. */
export interface FetchWebhooks extends Webhooks {
  (request: Request): Promise<Response>
}

/** Receives webhooks wherever a server speaks `Request` and `Response`: Hono, Next.js, Bun, workers. Throws INVALID_OPTION. */
export function bookingWebhooks<const Adapters extends readonly Adapter[], Transaction>(
  given: InboxOptions<Adapters, Transaction> | Inbox,
  { path: mount = '' }: MountOptions = {},
): FetchWebhooks {
  const webhooks = mounted(given)
  const { inbox, close } = webhooks
  const serve = async (request: Request): Promise<Response> => {
    const path = below(mount, new URL(request.url).pathname)
    const answer =
      path === null
        ? null
        : await respond(webhooks, {
            method: request.method,
            path,
            isAtRoot: mount === '' || mount === '/',
            headers: () => request.headers,
            body: limits => readBody(request, limits),
          })
    const { status, headers, body } = answer ?? reply(404)
    // `null`: a 204 takes no body, not even an empty one.
    return new Response(body || null, { status, headers })
  }
  return Object.assign(serve, { inbox, close })
}
