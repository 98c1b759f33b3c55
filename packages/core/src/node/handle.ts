import type { IncomingMessage } from 'node:http'
import type { Reply } from '../adapter/adapter.js'
import type { Mounted } from '../http/mounted.js'
import { respond } from '../http/respond.js'
import { discardRest } from './discard-rest.js'
import { type Left, readBody } from './read-body.js'
import { readHeaders } from './read-headers.js'

/** Where a request is below its mount, and what ran before. */
export interface Place {
  /** What was stripped of the path before `path`; empty at the root of the app. */
  mount: string
  /** Below the mount, as sent, without query. */
  path: string
  left: Left
  /** Names the body parser that ran, as one mounts it; null where that cannot be told. Asked only where the bytes are gone. */
  parser(): string | null
}

/** What an `IncomingMessage` is answered; null where it is the app's. Never rejects. */
export async function handle(
  webhooks: Mounted,
  request: IncomingMessage,
  place: Place,
): Promise<Reply | null> {
  const reply = await respond(webhooks, {
    method: request.method ?? 'GET',
    path: place.path,
    isAtRoot: place.mount === '' || place.mount === '/',
    headers: () => readHeaders(request.headers),
    body: limits => readBody(request, place.left, place.parser, limits),
  })
  if (reply) discardRest(request, webhooks.inbox.limits.bodyTimeoutMs)
  return reply
}
