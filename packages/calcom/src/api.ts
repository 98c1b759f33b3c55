import { type FetchContext, objectOrNull, parseJsonBody, retryAfterMs } from '@booking-webhooks/core'
import type { Authorize } from './credentials.js'
import { passingFailure, statusFailure, type Waits } from './failure.js'

/** Cal.com's API v2. https://cal.com/docs/api-reference/v2/introduction */
export interface Api {
  /** With the version, without a slash at the end. */
  url: string
  authorize: Authorize
  timeoutMs: number
}

export interface Question {
  account: string
  waits: Waits
  context: Pick<FetchContext, 'signal' | 'now'>
}

/** Without this version an older endpoint answers, in another shape. */
const version = '2024-08-13'

/**
 * `GET /bookings/{uid}`, the answer's `data` unchecked: a booking, or an array for the uid of a series. Undefined where there is
 * no such booking. Throws a FetchError for everything else. https://cal.com/docs/api-reference/v2/bookings/get-a-booking
 */
export async function bookingByUid(api: Api, uid: string, question: Question): Promise<unknown> {
  const { account, waits, context } = question
  // As a part of a path these name something else, and no booking is called so.
  if (/^\.+$/.test(uid)) return undefined
  const path = `/bookings/${encodeURIComponent(uid)}`
  let answer = await get(api, path, await credentials(api, account, waits), question)
  if (answer.status === 401) {
    const others = await api.authorize(account, { isRefused: true, waits })
    if (others) answer = await get(api, path, others, question)
  }
  if (answer.status === 404) return undefined
  if (answer.status !== 200)
    throw statusFailure(answer.status, retryAfterMs(answer.retryAfter, context.now), waits)
  const json = parseJsonBody(answer.body)
  const data = 'value' in json ? objectOrNull<{ data: unknown }>(json.value)?.data : null
  if (typeof data !== 'object' || data === null)
    throw passingFailure('Cal.com answered 200, but not with a booking.', waits)
  return data
}

async function credentials(api: Api, account: string, waits: Waits): Promise<Record<string, string>> {
  const headers = await api.authorize(account, { isRefused: false, waits })
  if (headers === null) throw statusFailure(401, null, waits)
  return headers
}

interface HttpAnswer {
  status: number
  retryAfter: string | null
  body: Uint8Array
}

/** A redirect is an answer like any other: credentials follow nobody. */
async function get(
  api: Api,
  path: string,
  headers: Record<string, string>,
  { waits, context }: Question,
): Promise<HttpAnswer> {
  const timeOut = AbortSignal.timeout(api.timeoutMs)
  try {
    const response = await fetch(api.url + path, {
      headers: { ...headers, accept: 'application/json', 'cal-api-version': version },
      redirect: 'manual',
      signal: AbortSignal.any([context.signal, timeOut]),
    })
    const body = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
  } catch (error) {
    context.signal.throwIfAborted()
    const why = timeOut.aborted
      ? `Cal.com did not answer within ${api.timeoutMs} ms.`
      : `Cal.com could not be reached (${causeOf(error)}).`
    throw passingFailure(why, waits)
  }
}

/** `fetch failed` says nothing, and its cause's message may name addresses: only the code is passed on. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection'
}
