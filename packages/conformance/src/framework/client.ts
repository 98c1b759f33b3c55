import { Agent, request } from 'node:http'
import { connect } from 'node:net'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
  /** One piece has a content-length; several are sent chunked. */
  body?: Uint8Array | Uint8Array[]
  agent?: Agent
}

/** One request by a client that opens a connection for it, unless an agent keeps one. */
export function send(
  port: number,
  { method = 'POST', path, headers, body = [], agent }: Sent,
): Promise<Answer> {
  const pieces = [body].flat()
  const [only] = pieces
  const length = pieces.length > 1 ? {} : { 'content-length': String(only?.byteLength ?? 0) }
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...length, ...headers },
      agent: agent ?? false,
    })
    outgoing.on('error', reject)
    outgoing.on('response', incoming => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (piece: string) => {
        text += piece
      })
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }),
      )
    })
    for (const piece of pieces) outgoing.write(piece)
    outgoing.end()
  })
}

/** An agent with one connection that is kept. */
export function oneConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 })
}

/** Bytes to write, a pause in milliseconds, or `end` (no more from us) and `reset` (gone). */
export type Step = string | Uint8Array | number | 'end' | 'reset'

/** Says these things over a socket and resolves with all that the server said until it, or we, closed the connection. */
export function talk(port: number, steps: readonly Step[]): Promise<string> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let heard = ''
    socket.setEncoding('latin1')
    socket.on('data', (piece: string) => {
      heard += piece
    })
    // The server may cut us off: what counts is what it said before.
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(heard))
    socket.on('connect', async () => {
      for (const step of steps) {
        if (socket.destroyed) return
        if (typeof step === 'number') await new Promise(wake => setTimeout(wake, step))
        else if (step === 'end') socket.end()
        else if (step === 'reset') socket.resetAndDestroy()
        else socket.write(step)
      }
    })
  })
}

/** The status codes in what a server said over one connection, in order; a 100 Continue is none. */
export function statuses(heard: string): number[] {
  return [...heard.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)]
    .map(found => Number(found[1]))
    .filter(one => one !== 100)
}
