import { createHash, createHmac } from 'node:crypto'
import type { FrameworkUnderTest, InboxWanted } from '@booking-webhooks/conformance'
import type { EventRow, Inbox } from '@booking-webhooks/core'

const key = 'secret'

export function sign(body: Uint8Array): Record<string, string> {
  return { 'X-Signature': createHmac('sha256', key).update(body).digest('hex') }
}

export const body = (n: number): Uint8Array => Buffer.from(`{"event":"created","booking":${n},"name":"Zoë"}`)

export function smallInbox(
  { maxBodyBytes = 1 << 20, bodyTimeoutMs = 10_000, log }: InboxWanted,
  providers = ['small'],
): Inbox {
  const rows = new Map<string, EventRow>()
  return {
    providers,
    limits: { maxBodyBytes, bodyTimeoutMs },
    log,
    async receive(_provider, request) {
      if (request.account !== 'default') return { status: 401, headers: {}, body: '' }
      if (request.headers.get('x-signature') !== sign(request.body)['X-Signature'])
        return { status: 401, headers: {}, body: '' }
      const id = createHash('sha256').update(request.body).digest('hex')
      const row = rows.get(id)
      rows.set(id, { id, deliveries: (row?.deliveries ?? 0) + 1 } as EventRow)
      return { status: 200, headers: {}, body: '' }
    },
    async start() {},
    async close() {},
    async drain() {},
    async ping() {},
    events: async () => ({ rows: [...rows.values()], cursor: null }),
    bookings: async () => ({ rows: [], cursor: null }),
  }
}

export const ground: Omit<FrameworkUnderTest, 'serve'> = {
  inbox: async wanted => smallInbox(wanted),
  body,
  sign,
}
