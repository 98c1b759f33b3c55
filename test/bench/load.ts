import { connect, type Socket } from 'node:net'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { play } from './role.js'
import { signingKey } from './signing-key.js'
import { percentile } from './statistics.js'

export interface Load {
  url: string
  connections: number
  requestsEach: number
  /** How often each delivery is sent. */
  copies: number
  /** Sets these deliveries apart from those of other rounds. */
  round: string
}

/** What the client saw. Only answers with 2xx count. */
export interface Answered {
  perSecond: number
  p50: number
  p99: number
  answered: number
  refused: number
}

/**
 * Every connection sends a list of its own, one after another, written as bytes before the clock starts. On sockets: autocannon, which parses and
 * measures more, takes some 25 µs more a request, of processors that the server and its database share with it.
 */
play<Load, Answered>(async load => {
  const { hostname, port } = new URL(load.url)
  const lists = requestsOf(load)
  const sockets = await Promise.all(lists.map(() => connected(hostname, Number(port))))
  const times: number[] = []
  let refused = 0
  const beganAt = performance.now()
  await Promise.all(
    sockets.map((socket, at) =>
      sendAll(socket, lists[at]!, (status, ms) => {
        if (status >= 200 && status < 300) times.push(ms)
        else refused += 1
      }),
    ),
  )
  const tookMs = performance.now() - beganAt
  for (const socket of sockets) socket.destroy()
  return {
    perSecond: (times.length * 1000) / tookMs,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    answered: times.length,
    refused,
  }
})

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => resolve(socket))
  })
}

/** Longer than this nobody waits for an answer, in milliseconds. */
const patienceMs = 30_000

/** Sends each request when the one before is answered. */
function sendAll(
  socket: Socket,
  requests: Buffer[],
  answered: (status: number, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let turn = 0
    let sentAt = 0
    let received = ''
    const send = () => {
      sentAt = performance.now()
      socket.write(requests[turn]!)
    }
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('The server did not answer in time.')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The server closed a connection.')))
    socket.on('data', chunk => {
      received += chunk.toString('latin1')
      const status = statusOf(received)
      if (status === null) return
      received = ''
      answered(status, performance.now() - sentAt)
      turn += 1
      if (turn < requests.length) send()
      else resolve()
    })
    send()
  })
}

/** Null while the answer is not complete. All contestants say how long it is. */
function statusOf(received: string): number | null {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return null
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1]
  if (length === undefined) throw new Error('An answer does not say how long it is.')
  return received.length < head + 4 + Number(length) ? null : Number(received.slice(9, 12))
}

function requestsOf({ url, connections, requestsEach, copies, round }: Load): Buffer[][] {
  const { host } = new URL(url)
  const amount = connections * requestsEach
  const deliveries = Array.from({ length: amount / copies }, (_, index) => {
    const { headers, body } = calendlyDelivery({
      key: signingKey,
      event: 'invitee.created',
      // Each at a host of its own: all start at the same hour, and none should wait for another's slot.
      invitee: { id: `IN${round}N${index}`, meeting: `EV${round}N${index}`, hosts: [`US${round}N${index}`] },
    })
    return asBytes(host, headers, Buffer.from(body))
  })
  // A prime that divides no amount: copies of one delivery come far apart, on different connections.
  const stride = 7_919
  return Array.from({ length: connections }, (_, connection) =>
    Array.from({ length: requestsEach }, (_, turn) => {
      const at = (turn * connections + connection) * stride
      return deliveries[(at % amount) % deliveries.length]!
    }),
  )
}

function asBytes(host: string, headers: Record<string, string>, body: Buffer): Buffer {
  const all = { host, connection: 'keep-alive', ...headers, 'content-length': body.byteLength }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST /webhooks/calendly HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}
