import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AcuityAppointment } from '../appointment.js'
import { answerControl } from './fake-control.js'
import { listed } from './fake-list.js'
import { answerWebhooks, type FakeWebhook } from './fake-webhooks.js'
import { sampleAppointment } from './sample-appointment.js'
import { bodyOf, errorBody, type UsualAnswer } from './usual-answer.js'

/** How the fake answers one call, beside answering it well. */
export interface FakeAnswer {
  /** Default 200. */
  status?: number
  headers?: Record<string, string>
  /** Sent instead of JSON: a page of HTML, half an object. */
  body?: string
  /** The answer leaves so many milliseconds after the request came; it tells the state at the request's arrival. */
  delayMs?: number
  /** No answer ever comes. */
  hang?: boolean
  /** For how many calls. Default 1. */
  times?: number
}

export interface FakeCall {
  /** The appointment asked for; null for everything else. */
  id: string | null
  method: string
  path: string
  /** Without the question mark. */
  query: string
  /** What was answered; null while (or if) nothing was. */
  status: number | null
}

export interface FakeAcuityOptions {
  /** Default 0: any free one. */
  port?: number
  /** The header that calls must carry; null lets everyone in. Default null. */
  authorization?: string | null
}

/** Acuity's API with nothing behind it: appointments by id and in lists, in the state they were given last, and webhooks. */
export interface FakeAcuity {
  /** For `acuity({ apiUrl })`. */
  url: string
  /** The header that calls must carry, to be changed at any time; null lets everyone in. */
  authorization: string | null
  /** Every call so far. */
  calls: FakeCall[]
  /** The account's dynamic webhooks, to be changed at any time. The fake calls none of them. */
  webhooks: FakeWebhook[]
  /** Changes an appointment; makes it, with invented data, where it is not there. Returns it as it is now. */
  put(changes: Partial<AcuityAppointment> & { id: number }): AcuityAppointment
  remove(id: number): void
  /** How the next calls for this id (`*`: for any) are answered, in this order; then all is well again. */
  answer(id: number | '*', ...answers: FakeAnswer[]): void
  close(): Promise<void>
}

/** Starts a fake of Acuity's API on 127.0.0.1. Beside the API it answers `/control/…`, for tests in another process. */
export async function startFakeAcuity(options: FakeAcuityOptions = {}): Promise<FakeAcuity> {
  const appointments = new Map<string, AcuityAppointment>()
  const answers = new Map<string, FakeAnswer[]>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake')
    const answering = url.pathname.startsWith('/control/')
      ? answerControl(fake, url.pathname, request, response)
      : answerApi(url, request, response)
    answering.catch(() => response.destroy())
  })
  await new Promise<void>(listening => server.listen(options.port ?? 0, '127.0.0.1', listening))

  const fake: FakeAcuity = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    authorization: options.authorization ?? null,
    calls: [],
    webhooks: [],
    put(changes) {
      const id = String(changes.id)
      const appointment = { ...(appointments.get(id) ?? sampleAppointment(changes)), ...changes }
      appointments.set(id, appointment)
      return appointment
    },
    remove: id => appointments.delete(String(id)),
    answer: (id, ...next) => answers.set(String(id), next),
    close: () =>
      new Promise(closed => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  return fake

  async function answerApi(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request
    const path = url.pathname.replace('/api/v1', '')
    const id = /^\/appointments\/(\d+)$/.exec(path)?.[1] ?? null
    const call: FakeCall = { id, method, path: url.pathname, query: url.search.slice(1), status: null }
    fake.calls.push(call)
    const scripted = nextAnswer(answers, id) ?? {}
    const usual: UsualAnswer =
      fake.authorization !== null && headers.authorization !== fake.authorization
        ? { status: 401 }
        : path.startsWith('/webhooks') && !scripted.status
          ? await answerWebhooks(fake.webhooks, path, request)
          : answerAppointments(path, id, url.searchParams)
    if (scripted.hang) return
    if (scripted.delayMs) await sleep(scripted.delayMs)
    call.status = scripted.status ?? usual.status
    const body = scripted.body ?? (scripted.status ? errorBody(scripted.status) : bodyOf(usual))
    const type = body.startsWith('<') ? 'text/html' : 'application/json'
    response.writeHead(call.status, { 'content-type': type, ...scripted.headers }).end(body)
  }

  function answerAppointments(path: string, id: string | null, query: URLSearchParams): UsualAnswer {
    if (path === '/appointments') return { status: 200, json: listed([...appointments.values()], query) }
    const appointment = id === null ? undefined : appointments.get(id)
    return appointment ? { status: 200, json: appointment } : { status: 404 }
  }
}

function nextAnswer(answers: Map<string, FakeAnswer[]>, id: string | null): FakeAnswer | null {
  for (const whose of [id, '*']) {
    const list = whose === null ? undefined : answers.get(whose)
    const next = list?.[0]
    if (!list || !next) continue
    const times = (next.times ?? 1) - 1
    if (times > 0) list[0] = { ...next, times }
    else list.shift()
    return next
  }
  return null
}
