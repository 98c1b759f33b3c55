import { parseJsonBody, retryAfterMs } from '@booking-webhooks/core'
import { passingFailure, statusFailure, type Tries } from './failure.js'
import type { Limiter } from './limiter.js'

/** Acuity's API as one process calls it. */
export interface Api {
  /** With the version, without a slash at the end. */
  url: string
  limiter: Limiter
  timeoutMs: number
}

export interface Call {
  /** Default GET. */
  method?: 'GET' | 'POST' | 'DELETE'
  /** Below the API's URL: `/appointments/510200301`. */
  path: string
  /** Sent as JSON. */
  json?: unknown
  /**
   * The `Authorization` header's value. `isRefused` is true where Acuity has just refused the one it was given before;
   * null then means that there is no other.
   */
  authorization(isRefused: boolean): Promise<string | null>
  signal: AbortSignal
  now: Date
}

export interface Question extends Call {
  tries: Tries
}

/** One GET and its answer's JSON, unchecked; null without credentials. Throws a FetchError for everything but a 200 that holds JSON. */
export async function ask(api: Api, question: Question): Promise<{ json: unknown } | null> {
  const answer = await call(api, question)
  if (answer === null) return null
  if (answer.status !== 200) throw statusFailure(answer.status, question.tries)
  return { json: jsonOf(answer) }
}

export interface HttpAnswer {
  status: number
  retryAfter: string | null
  body: Uint8Array
}

/** The answer as it came, whatever its status; null without credentials. Throws a FetchError for a 429, and where nothing answers. */
export async function call(api: Api, asked: Call): Promise<HttpAnswer | null> {
  const first = await asked.authorization(false)
  if (first === null) return null
  let answer = await send(api, asked, first)
  if (answer.status === 401) {
    const second = await asked.authorization(true)
    if (second !== null) answer = await send(api, asked, second)
  }
  if (answer.status === 429) throw api.limiter.slowDown(retryAfterMs(answer.retryAfter, asked.now))
  api.limiter.goOn()
  return answer
}

/** The body of an answer that should hold JSON. Throws a FetchError where it does not. */
export function jsonOf({ status, body }: HttpAnswer): unknown {
  const json = parseJsonBody(body)
  if ('problem' in json) throw passingFailure(`Acuity answered ${status}, but the body ${json.problem}.`)
  return json.value
}

/** A redirect is an answer like any other: credentials follow nobody. */
function send(api: Api, asked: Call, authorization: string): Promise<HttpAnswer> {
  const { method = 'GET', path, json, signal } = asked
  const headers: Record<string, string> = { accept: 'application/json', authorization }
  if (json !== undefined) headers['content-type'] = 'application/json'
  return api.limiter.run(async () => {
    const timeOut = AbortSignal.timeout(api.timeoutMs)
    try {
      const response = await fetch(api.url + path, {
        method,
        headers,
        body: json === undefined ? null : JSON.stringify(json),
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
