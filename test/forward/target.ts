import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as a target got it. */
export interface Received {
  url: string
  headers: Record<string, string>
  body: string
  /** By a monotonic clock. */
  atMs: number
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export interface Target {
  url: string
  received: Received[]
  close(): Promise<void>
}

/** A real HTTP server that gives its answers in turn, and the last one for ever. */
export async function listen(...answers: Answer[]): Promise<Target> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        url: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
        atMs: performance.now(),
      })
      answers[Math.min(received.length, answers.length) - 1](response, request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with a status and headers. */
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  response =>
    response.writeHead(code, headers).end(body)

/** Reads the request and never answers. */
export const silence: Answer = () => {}

/** Closes the connection with a reset instead of an answer. */
export const reset: Answer = (_, request) => request.socket.resetAndDestroy()
