import type { Adapter, Inbox, InboxOptions } from '@booking-webhooks/core'
import { below, handle, mounted, mountOfRoute, type Place, type Webhooks } from '@booking-webhooks/core/node'
import type { KoaContext } from './koa-context.js'
import { parserOf } from './parser-of.js'

export interface KoaWebhooks extends Webhooks {
  (context: KoaContext, next: () => Promise<unknown>): Promise<unknown>
}

/** Receives webhooks below where it is mounted, in Koa 2 and 3: `app.use(mount('/webhooks', bookingWebhooks(…)))`. Throws INVALID_OPTION. */
export function bookingWebhooks<const Adapters extends readonly Adapter[], Transaction>(
  given: InboxOptions<Adapters, Transaction> | Inbox,
): KoaWebhooks {
  const webhooks = mounted(given)
  const { inbox, close } = webhooks
  const serve = async (context: KoaContext, next: () => Promise<unknown>): Promise<unknown> => {
    const answer = await handle(webhooks, context.req, placeOf(context, inbox.providers))
    if (!answer) return next()
    context.status = answer.status
    context.set(answer.headers)
    context.body = answer.body
  }
  return Object.assign(serve, { inbox, close })
}

/** koa-mount strips the mount from the path, a route of @koa/router does not. */
function placeOf(context: KoaContext, providers: readonly string[]): Place {
  const { path, req, request, mountPath = '', _matchedRoute: pattern } = context
  const mount = typeof pattern === 'string' ? mountOfRoute(pattern, providers) : ''
  return {
    mount: `${mountPath}${mount}`,
    path: below(mount, path) ?? path,
    left: { rawBody: req.rawBody ?? bytes(request.rawBody), body: bytes(request.body) ?? req.body },
    parser: () => parserOf(context),
  }
}

/** Koa's parsers leave text in `rawBody`: decoded, its byte order mark gone. The signature covers bytes. */
function bytes(left: unknown): Uint8Array | undefined {
  return left instanceof Uint8Array ? left : undefined
}
