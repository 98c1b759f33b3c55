import type { Reply } from '../adapter/adapter.js'
import { describeError } from '../event/describe-error.js'
import { isBookingWebhooksError } from '../event/errors.js'
import type { Inbox } from '../inbox/inbox.js'
import { reply, replyTo } from '../receive/answer.js'
import type { Limits } from './limits.js'
import type { Mounted } from './mounted.js'
import { type Route, route } from './route.js'

/** One HTTP request as a door hands it over, its body still unread. */
export interface HttpRequest {
  method: string
  /** Below the mount, as sent: percent-encoded, without query. */
  path: string
  /** True where the mount is the root of the app. */
  isAtRoot: boolean
  headers(): Headers
  /** Rejects with a BODY_… error or ENCODING_UNSUPPORTED. */
  body(limits: Limits): Promise<Uint8Array>
}

/** What one request is answered; null where it is the app's. Never rejects. */
export async function respond(
  { inbox, started }: Mounted,
  { method, path, isAtRoot, headers, body }: HttpRequest,
): Promise<Reply | null> {
  const found = route(inbox.providers, path)
  if (!found) return null
  if (method !== 'POST') return isAtRoot && isMountItself(path) ? null : reply(405, { allow: 'POST' })
  try {
    await started()
    return await inbox.receive(found.provider, {
      method,
      publicUrl: null,
      headers: headers(),
      body: await body(inbox.limits),
      receivedAt: inbox.now(),
      account: found.account,
    })
  } catch (error) {
    return refuse(error, found, inbox)
  }
}

/** At the root of an app the mount itself is the app's home page, too. */
function isMountItself(path: string): boolean {
  return path === '' || path === '/'
}

function refuse(error: unknown, about: Route, inbox: Inbox): Reply {
  const { log } = inbox
  const code = isBookingWebhooksError(error) ? error.code : null
  const answer = replyTo(code)
  const fields = { ...about, code, status: answer.status, reason: describeError(error) }
  if (answer.status >= 500) log.error('not received', fields)
  else log.warn('not received', fields)
  inbox.answered({ provider: about.provider, account: '', status: answer.status, code })
  return answer
}
