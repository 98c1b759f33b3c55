import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import autocannon from 'autocannon'
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

play<Load, Answered>(async load => {
  const requests = requestsOf(load)
  const times: number[] = []
  let refused = 0
  let connection = 0
  let beganAt = 0
  let endedAt = 0
  await new Promise<void>((resolve, reject) => {
    const options: autocannon.Options = {
      url: load.url,
      connections: load.connections,
      amount: load.connections * load.requestsEach,
      timeout: 30,
      // It looks this often, in milliseconds, whether all is sent.
      sampleInt: 50,
      setupClient(client) {
        // Every connection sends a list of its own once: written as bytes before the clock starts.
        client.setRequests(requests[connection++] ?? [])
        client.on('response', (status, _bytes, ms) => {
          endedAt = performance.now()
          if (status >= 200 && status < 300) times.push(ms)
          else refused += 1
        })
      },
    }
    autocannon(options, error => (error ? reject(error) : resolve())).once('start', () => {
      beganAt = performance.now()
    })
  })
  return {
    perSecond: (times.length * 1000) / (endedAt - beganAt),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    answered: times.length,
    refused,
  }
})

function requestsOf({ connections, requestsEach, copies, round }: Load): autocannon.Request[][] {
  const amount = connections * requestsEach
  const deliveries = Array.from({ length: amount / copies }, (_, index) => {
    const { headers, body } = calendlyDelivery({
      key: signingKey,
      event: 'invitee.created',
      // Each at a host of its own: all start at the same hour, and none should wait for another's slot.
      invitee: { id: `IN${round}N${index}`, meeting: `EV${round}N${index}`, hosts: [`US${round}N${index}`] },
    })
    return {
      method: 'POST' as const,
      path: '/webhooks/calendly',
      headers,
      body: Buffer.from(body),
    }
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
