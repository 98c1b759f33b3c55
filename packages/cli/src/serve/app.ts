import type { Inbox } from '@booking-webhooks/core'
import { bookingWebhooks } from '@booking-webhooks/express'
import express, { type Express } from 'express'

/** What `serve` listens with: `/healthz`, 200 while the database answers, and the providers' endpoints below `path`. */
export function app(inbox: Inbox, { path, receive }: { path: string; receive: boolean }): Express {
  const server = express().disable('x-powered-by')
  server.get('/healthz', (_, response) =>
    inbox.ping().then(
      () => response.json({ status: 'ok' }),
      () => response.status(503).json({ status: 'the database does not answer' }),
    ),
  )
  if (receive) server.use(path || '/', bookingWebhooks(inbox))
  return server
}
