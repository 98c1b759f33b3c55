import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { examples } from './running.js'

const key = 'a-signing-key-for-tests'
const file = join(examples, 'one-adapter/handler.js')

describe('the example one-adapter', () => {
  let handler: (event: object) => Promise<{ statusCode: number }>
  const { CALENDLY_SIGNING_KEY } = process.env
  before(async () => {
    process.env.CALENDLY_SIGNING_KEY = key
    ;({ handler } = await import(file))
  })
  after(() => {
    if (CALENDLY_SIGNING_KEY === undefined) delete process.env.CALENDLY_SIGNING_KEY
    else process.env.CALENDLY_SIGNING_KEY = CALENDLY_SIGNING_KEY
  })

  it('logs what Calendly signed, whether its platform sends text or base64', async () => {
    const { headers, body } = calendlyDelivery({ key, event: 'invitee.created' })
    const text = Buffer.from(body)
    for (const event of [
      { headers, body: text.toString() },
      { headers, body: text.toString('base64'), isBase64Encoded: true },
    ]) {
      const { answer, lines } = await heard(event)
      expect(answer).to.deep.equal({ statusCode: 200 })
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({ kind: 'created' })
      expect(lines[0])
        .to.have.property('startsAt')
        .that.matches(/^\d{4}-/)
    }
  })

  it('says the same key for a retry', async () => {
    const delivered = (sentAt: Date) =>
      calendlyDelivery({ key, event: 'invitee.created', at: new Date(0), sentAt })
    const said = []
    for (const { headers, body } of [delivered(new Date(Date.now() - 60_000)), delivered(new Date())])
      said.push(...(await heard({ headers, body: Buffer.from(body).toString() })).lines)
    expect(said).to.have.length(2)
    expect(said[0]).to.deep.equal(said[1])
  })

  it('refuses what Calendly did not sign', async () => {
    const { headers } = calendlyDelivery({ key, event: 'invitee.created' })
    expect(await heard({ headers, body: '{}' })).to.deep.equal({ answer: { statusCode: 401 }, lines: [] })
    expect((await heard({ headers: {} })).answer).to.deep.equal({ statusCode: 401 })
  })

  it('needs Calendly and core alone', () => {
    const { dependencies } = JSON.parse(readFileSync(join(examples, 'one-adapter/package.json'), 'utf8'))
    expect(Object.keys(dependencies)).to.deep.equal(['@booking-webhooks/calendly', '@booking-webhooks/core'])
  })

  async function heard(event: object) {
    const lines: Record<string, unknown>[] = []
    const { log } = console
    console.log = line => void lines.push(JSON.parse(line))
    try {
      return { answer: await handler(event), lines }
    } finally {
      console.log = log
    }
  }
})
