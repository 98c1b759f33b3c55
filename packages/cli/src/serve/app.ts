import type { RequestListener, ServerResponse } from 'node:http'
import type { Inbox } from '@booking-webhooks/core'
import { bookingWebhooks, pathOf } from '@booking-webhooks/core/node'

/** What `serve` listens with: `/healthz`, 200 while the database answers, and the providers' endpoints below `path`. */
export function app(inbox: Inbox, { path, receive }: { path: string; receive: boolean }): RequestListener {
  const webhooks = receive ? bookingWebhooks(inbox, { path }) : null
  return (request, response) => {
    const isHealth = pathOf(request.url) === '/healthz' && /^(GET|HEAD)$/.test(request.method ?? '')
    if (isHealth) health(inbox, response)
    else if (webhooks) webhooks(request, response)
    else response.writeHead(404).end()
  }
}

function health(inbox: Inbox, response: ServerResponse): void {
  const answer = (code: number, status: string) =>
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ status }))
  inbox.ping().then(
    () => answer(200, 'ok'),
    () => answer(503, 'the database does not answer'),
  )
}
