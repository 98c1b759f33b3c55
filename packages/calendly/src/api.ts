import { FetchError, type FetchFailure, objectOrNull, parseJsonBody } from '@booking-webhooks/core'

export interface ApiRequest {
  /** Where the token may go, and nowhere else. */
  apiUrl: string
  /** Below `apiUrl`, made of ids that were checked. */
  path: string
  token: string
  signal: AbortSignal
  /** How many counted tries are worth it; absent: as many as the back-off has. */
  attempts?: number
}

const timeoutMs = 10_000
/** Calendly counts requests by the minute. */
const pauseMs = 60_000

/** The `resource` of a GET. Throws a `FetchError` that says how to go on; its message holds nothing of the answer. */
export async function getResource(request: ApiRequest): Promise<object> {
  const response = await send(request)
  if (response.status !== 200) throw failureOf(response, request)
  const parsed = parseJsonBody(await bodyOf(response, request))
  const answer = 'value' in parsed ? objectOrNull<{ resource: unknown }>(parsed.value) : null
  const resource = objectOrNull(answer?.resource)
  if (!resource) throw retryLater('Calendly answered 200 without a resource.', request)
  return resource
}

async function send({ apiUrl, path, token, signal, attempts }: ApiRequest): Promise<Response> {
  try {
    return await fetch(apiUrl + path, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
  } catch (error) {
    throw retryLater('Calendly did not answer.', { attempts }, error)
  }
}

async function bodyOf(response: Response, request: ApiRequest): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    throw retryLater('Calendly broke off its answer.', request, error)
  }
}

/** By status alone: titles and messages are not reliable. https://developer.calendly.com/docs/api/errors */
function failureOf(response: Response, request: ApiRequest): FetchError {
  const { status } = response
  const never: FetchFailure = { retry: 'never', counts: true, givenUp: 'without' }
  if (status === 429) {
    const waitMs = waitOf(response.headers)
    return new FetchError(`Calendly asks to wait ${waitMs / 1000} s (429).`, {
      retry: waitMs,
      counts: false,
      pauseAccountMs: waitMs,
      givenUp: 'without',
    })
  }
  if (status === 401)
    return retryLater('Calendly refused the token (401). Is CALENDLY_API_TOKEN still valid?', {
      ...request,
      alert: 'credentials',
    })
  if (status === 403)
    return new FetchError(
      "The token may not read this (403). Give it the scope scheduled_events:read, and check the owner's plan.",
      { ...never, alert: 'permission' },
    )
  if (status === 404) return new FetchError('Calendly does not know this any more (404).', never)
  if (status >= 400 && status < 500 && status !== 408)
    return new FetchError(`Calendly refused the request (${status}).`, never)
  return retryLater(`Calendly answered ${status}.`, request)
}

/** `Retry-After` is not documented, but is honoured where it comes; `X-RateLimit-Reset` is the seconds left. */
function waitOf(headers: Headers): number {
  const seconds = [headers.get('retry-after'), headers.get('x-ratelimit-reset')]
    .map(value => (value && /^\d{1,5}$/.test(value) ? Number(value) : null))
    .find(value => value !== null)
  return seconds === undefined || seconds === null ? pauseMs : Math.max(1, seconds) * 1000
}

function retryLater(
  message: string,
  { attempts, alert }: Pick<FetchFailure, 'attempts' | 'alert'>,
  cause?: unknown,
): FetchError {
  return new FetchError(
    message,
    { retry: 'backoff', counts: true, attempts, alert, givenUp: 'without' },
    { cause },
  )
}
