import { parseJsonBody, retryAfterMs } from '@booking-webhooks/core'
import { passingFailure, statusFailure } from './failure.js'
import type { Limiter } from './limiter.js'

/** Acuity's API as one process calls it. */
export interface Api {
  /** With the version, without a slash at the end. */
  url: string
  limiter: Limiter
  timeoutMs: number
}

export interface Question {
  /** Below the API's URL: `/appointments/510200301`. */
  path: string
  /**
   * The `Authorization` header's value. `isRefused` is true where Acuity has just refused the one it was given before;
   * null then means that there is no other.
   */
  authorization(isRefused: boolean): Promise<string | null>
  signal: AbortSignal
  now: Date
  /** 1 for the first try. */
  attempt: number
}

/** One GET and its answer's JSON, unchecked; null without credentials. Throws a FetchError for everything but a 200 that holds JSON. */
export async function ask(api: Api, question: Question): Promise<{ json: unknown } | null> {
  const first = await question.authorization(false)
  if (first === null) return null
  let answer = await get(api, question, first)
  if (answer.status === 401) {
    const second = await question.authorization(true)
    if (second !== null) answer = await get(api, question, second)
  }
  if (answer.status === 429) throw api.limiter.slowDown(retryAfterMs(answer.retryAfter, question.now))
  api.limiter.goOn()
  if (answer.status !== 200) throw statusFailure(answer.status, question.attempt)
  const json = parseJsonBody(answer.body)
  if ('problem' in json) throw passingFailure(`Acuity answered 200, but the body ${json.problem}.`)
  return { json: json.value }
}

interface HttpAnswer {
  status: number
  retryAfter: string | null
  body: Uint8Array
}

/** A redirect is an answer like any other: credentials follow nobody. */
function get(api: Api, { path, signal }: Question, authorization: string): Promise<HttpAnswer> {
  return api.limiter.run(async () => {
    const timeOut = AbortSignal.timeout(api.timeoutMs)
    try {
      const response = await fetch(api.url + path, {
        headers: { accept: 'application/json', authorization },
        redirect: 'manual',
        signal: AbortSignal.any([signal, timeOut]),
      })
      const body = new Uint8Array(await response.arrayBuffer())
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
    } catch (error) {
      signal.throwIfAborted()
      throw passingFailure(
        timeOut.aborted
          ? `Acuity did not answer within ${api.timeoutMs} ms.`
          : `Acuity could not be reached (${causeOf(error)}).`,
      )
    }
  }, signal)
}

/** `fetch failed` says nothing, and its cause's message may name addresses: only the code is passed on. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection'
}
