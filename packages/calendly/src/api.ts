import { type FetchContext, objectOrNull, objectsIn, parseJsonBody, textOrNull } from '@booking-webhooks/core'
import type { Authorize } from './credentials.js'
import { type Asker, passingFailure, statusFailure } from './failure.js'

/** Calendly's API v2. https://developer.calendly.com/api-docs */
export interface Api {
  /** Where tokens may go, and nowhere else. Without a slash at the end. */
  url: string
  authorize: Authorize
  timeoutMs: number
}

export interface Question extends Asker {
  account: string
  context: Pick<FetchContext, 'signal' | 'now'>
}

/**
 * The `resource` of a GET, unchecked; null for an account that has no token. The path is made of ids that were checked.
 * Throws a FetchError that says how to go on and holds nothing of the answer.
 */
export async function getResource(api: Api, path: string, question: Question): Promise<object | null> {
  const answer = await getAnswer<{ resource: unknown }>(api, path, question)
  if (!answer) return null
  const resource = objectOrNull(answer.resource)
  if (!resource) throw passingFailure('Calendly answered 200, but not with a resource.', question)
  return resource
}

/** More than any meeting has attendees, by a hundred to the page: where a list would not end, it ends here. */
const mostPages = 50

/** As `getResource`, for a list: all its pages. Always asked for on our own base, never by an address in an answer. */
export async function getCollection(api: Api, path: string, question: Question): Promise<object[] | null> {
  const items: object[] = []
  let token: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const pageOf: string = token === null ? '' : `&page_token=${encodeURIComponent(token)}`
    const answer: Page | null = await getAnswer<Page>(api, `${path}${pageOf}`, question)
    if (!answer) return null
    if (!Array.isArray(answer.collection))
      throw passingFailure('Calendly answered 200, but not with a list.', question)
    items.push(...objectsIn<object>(answer.collection))
    token = textOrNull(objectOrNull<{ next_page_token: unknown }>(answer.pagination)?.next_page_token)
    if (token === null) break
  }
  return items
}

interface Page {
  collection?: unknown
  pagination?: unknown
}

async function getAnswer<Answer extends object>(
  api: Api,
  path: string,
  question: Question,
): Promise<Partial<Answer> | null> {
  const { account, context } = question
  const token = await api.authorize(account, { isRefused: false, ...question })
  if (token === null) return null
  let response = await get(api, path, token, question)
  const other =
    response.status === 401 ? await api.authorize(account, { isRefused: true, ...question }) : null
  if (other !== null) response = await get(api, path, other, question)
  if (response.status !== 200) throw statusFailure(response, context.now, question)
  const parsed = parseJsonBody(await bodyOf(response, question))
  return ('value' in parsed ? objectOrNull<Answer>(parsed.value) : null) ?? {}
}

/** A redirect is an answer like any other: a token follows nobody. */
async function get(
  { url, timeoutMs }: Api,
  path: string,
  token: string,
  question: Question,
): Promise<Response> {
  try {
    return await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([question.context.signal, AbortSignal.timeout(timeoutMs)]),
    })
  } catch {
    throw passingFailure(`Calendly did not answer, or not within ${timeoutMs} ms.`, question)
  }
}

async function bodyOf(response: Response, asker: Asker): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer())
  } catch {
    throw passingFailure('Calendly broke off its answer.', asker)
  }
}
