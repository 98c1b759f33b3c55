import { calcom } from '@booking-webhooks/calcom'
import { calcomDelivery, calcomSignature } from '@booking-webhooks/calcom/testing'
import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery, calendlySignature } from '@booking-webhooks/calendly/testing'
import type { SampleDelivery } from '@booking-webhooks/core'
import { expect } from 'chai'
import { grounds, type Ledger, sharedGrounds } from '../support/ledgers.js'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

/** Bodies that make no sense as an event, each signed. */
const senseless: Record<string, string | Uint8Array> = {
  'an empty body': '',
  'an empty list': '[]',
  'a text': '"x"',
  null: 'null',
  'an empty object': '{}',
  'half of a JSON text': '{"event":"invitee.created","payl',
  'a thousand brackets': '['.repeat(1_000),
  'a list in a list, 20,000 deep': '['.repeat(20_000) + ']'.repeat(20_000),
  'bytes that are no UTF-8': new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
  'a zero byte': new Uint8Array([0]),
}

/** Names that databases choke on; the booking must be kept and told. */
const names: Record<string, string> = {
  'a NUL': 'Ann\\u0000Example',
  'a lone high surrogate': 'Ann\\ud83d',
  'a lone low surrogate': '\\udc00Ann',
  'four-byte characters': '👩‍🔬 Ann 𝒳',
  'a key that means something to JavaScript': 'Ann","__proto__":{"polluted":true},"x":"',
  'a quote and a backslash': '\\"; DROP TABLE x; --\\\\',
}

/** Times that nobody can mean. What is no instant counts as not told. */
const times = [
  '9999999-01-01T09:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999999Z',
  '9999-12-31T23:59:59-12:00',
  '2256-01-01T00:00:00.123457Z',
  '0001-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2027-99-99T99:99:99Z',
  '2027-01-01T00:00:00+99:99',
  '1e400',
]

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

for (const ground of grounds())
  describe(`on ${ground.name}, signed`, function () {
    this.timeout(60_000)
    let ledger: Ledger
    let bench: Workbench
    before(async () => {
      ledger = await ground.open()
      bench = workbench({
        database: ledger.database,
        providers: [calendly({ signingKey }), calcom({ secret: signingKey })],
      })
    })
    after(async () => {
      await bench.close()
      await ledger.close()
    })

    for (const [what, body] of Object.entries(senseless))
      it(`${what} is kept as unreadable and answered 200`, async () => {
        expect((await bench.deliver(signed(body))).status).to.equal(200)
        await bench.inbox.drain()
        const [row] = (await bench.inbox.events({}, { limit: 1 })).rows
        expect(row).to.include({ outcome: 'unreadable', status: 'done' })
        expect(row!.reason).to.be.a('string').that.is.not.empty
      })

    for (const [index, [what, name]] of Object.entries(names).entries())
      it(`a name with ${what} is a booking like any other`, async () => {
        const sample = calendlyDelivery({
          key: signingKey,
          event: 'invitee.created',
          invitee: { id: `IN${index}`, meeting: `EV${index}`, hosts: [`US${index}`], name: 'NAME' },
        })
        const text = Buffer.from(sample.body).toString().replaceAll('NAME', name)
        expect((await bench.deliver(signed(text))).status).to.equal(200)
        await bench.inbox.drain()
        const [row] = (await bench.inbox.events({}, { limit: 1 })).rows
        expect(row).to.include({ outcome: 'accepted', status: 'done' })
        expect(bench.told.at(-1)!.event.booking!.attendee!.name).to.be.a('string').that.is.not.empty
        expect({}).not.to.have.property('polluted')
      })

    for (const [index, time] of times.entries())
      it(`${time} for every time is a row with outcome and reason, and nobody is told it`, async () => {
        const at = '2026-07-01T08:15:00.000Z'
        const on = new Date(at)
        const invitee = { id: `TIME${index}`, meeting: `EVTIME${index}`, startsAt: on }
        const booking = { uid: `time${index}`, startsAt: on }
        const trigger = 'BOOKING_CREATED'
        for (const sample of [
          calendlyDelivery({ key: signingKey, event: 'invitee.created', at: on, invitee }),
          calcomDelivery({ key: signingKey, trigger, at: on, booking }),
        ]) {
          const body = Buffer.from(sample.body)
            .toString()
            .replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, JSON.stringify(time))
          expect(body.split(time).length, 'times').to.be.above(3)
          expect((await bench.deliver(signed(body, sample.path))).status).to.equal(200)
          await bench.inbox.drain()
          const [row] = (await bench.inbox.events({}, { limit: 1 })).rows
          expect(row).to.include({ outcome: 'accepted', status: 'done' })
          expect(row!.reason).to.be.a('string').that.is.not.empty
          const { event } = bench.told.at(-1)!
          expect(event.provider).to.equal(row!.provider)
          expect(event.booking).to.include({ startsAt: null, endsAt: null })
          expect(event.occurredAt).to.match(instant)
        }
      })
  })

// The embedded PostgreSQL takes half a minute for it.
describe('signed and as large as can be', () => {
  for (const ground of sharedGrounds())
    it(`the largest body that any option allows is kept whole, and told (${ground.name})`, async () => {
      const largest = 4 * 1024 * 1024
      const ledger = await ground.open()
      const roomy = workbench({ database: ledger.database, maxBodyBytes: largest })
      const sample = calendlyDelivery({
        key: signingKey,
        event: 'invitee.created',
        invitee: { id: 'IN-large', meeting: 'EV-large', hosts: ['US-large'] },
      })
      const text = Buffer.from(sample.body).toString()
      const padding = largest - Buffer.byteLength(text.replace('{', '{"more":"",'))
      const body = text.replace('{', `{"more":"${'é'.repeat(padding / 2)}${'x'.repeat(padding % 2)}",`)
      try {
        expect(Buffer.byteLength(body)).to.equal(largest)
        expect((await roomy.deliver(signed(body))).status).to.equal(200)
        await roomy.inbox.drain()
        expect(roomy.told.at(-1)!.event.booking!.id).to.include('IN-large')
        const [row] = await ledger.knex('booking_webhooks_events').select('body')
        expect(Buffer.from(row.body).toString() === body, 'the body is as it was').to.equal(true)
      } finally {
        await roomy.close()
        await ledger.close()
      }
    }).timeout(60_000)
})

function signed(body: string | Uint8Array, path = '/calendly'): SampleDelivery {
  const bytes = new Uint8Array(typeof body === 'string' ? Buffer.from(body) : body)
  return {
    title: 'signed',
    method: 'POST',
    path,
    headers: {
      'calendly-webhook-signature': calendlySignature(signingKey, bytes, new Date()),
      'x-cal-signature-256': calcomSignature(signingKey, bytes),
    },
    body: bytes,
  }
}
