import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Adapter } from '../adapter/adapter.js'
import { mounted, type Webhooks } from '../http/mounted.js'
import type { Inbox } from '../inbox/inbox.js'
import type { InboxOptions } from '../inbox/inbox-options.js'
import { reply } from '../receive/answer.js'
import { handle, type Place } from './handle.js'
import { writeReply } from './write-reply.js'

/** Takes what is below its mount and calls `next` for everything else; without a `next` that is 404. */
export interface Middleware<Request extends IncomingMessage = IncomingMessage> extends Webhooks {
  (request: Request, response: ServerResponse, next?: (error?: unknown) => void): void
}

/** Middleware of the `(request, response, next)` kind; `placeOf` says where its framework mounted it, null for elsewhere. */
export function middleware<
  const Adapters extends readonly Adapter[],
  Transaction,
  Request extends IncomingMessage,
>(
  given: InboxOptions<Adapters, Transaction> | Inbox,
  placeOf: (request: Request, providers: readonly string[]) => Place | null,
): Middleware<Request> {
  const webhooks = mounted(given)
  const { inbox, close } = webhooks
  const serve: Middleware<Request> = Object.assign(
    (request: Request, response: ServerResponse, next?: (error?: unknown) => void): void => {
      const goOn = next ?? (() => writeReply(response, reply(404)))
      const place = placeOf(request, inbox.providers)
      if (!place) goOn()
      else
        handle(webhooks, request, place)
          .then(answer => (answer ? writeReply(response, answer) : goOn()))
          .catch(next ?? (() => writeReply(response, reply(500))))
    },
    { inbox, close },
  )
  return serve
}
