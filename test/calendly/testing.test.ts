import { calendlyDelivery, calendlyStories } from '@booking-webhooks/calendly/testing'
import type { SampleDelivery, Story } from '@booking-webhooks/core'
import { expect } from 'chai'
import { adapter, key, readingsOf, sentAt } from './bench.js'

const stories = Object.entries<Story>(calendlyStories)

async function verify({ headers, body }: SampleDelivery, now: Date) {
  const request = { method: 'POST', publicUrl: null, body, receivedAt: now, account: 'default' }
  return adapter.verify({ ...request, headers: new Headers(headers) }, { keys: [key], now })
}

const types = (story: Story) =>
  story({ key, sentAt }).flatMap(({ body }) => readingsOf(body).map(reading => reading.type))

describe('calendly/testing', () => {
  for (const [name, story] of stories)
    it(`signs what it tells and makes sense: ${name}`, async () => {
      for (const delivery of story({ key, sentAt })) {
        expect(await verify(delivery, sentAt)).to.deep.equal({ keyIndex: 0, authenticated: 'signature' })
        expect(delivery).to.deep.include({ method: 'POST', path: '/calendly' })
        expect(delivery.title).to.match(/\w/)
        for (const reading of readingsOf(delivery.body)) expect(reading.unreadable).to.equal(null)
      }
    })

  it('tells stories in the order in which they happened', () => {
    expect(types(calendlyStories.cancel)).to.deep.equal(['booking.created', 'booking.canceled'])
    expect(types(calendlyStories['late-create'])).to.deep.equal(['booking.canceled', 'booking.created'])
    expect(types(calendlyStories['no-show'])).to.deep.equal([
      'booking.created',
      'booking.no_show',
      'booking.updated',
    ])
    expect(types(calendlyStories.reschedule)).to.deep.equal([
      'booking.created',
      'booking.rescheduled',
      'booking.rescheduled',
    ])
    expect(types(calendlyStories.unknown)).to.deep.equal(['provider.meeting_poll.created'])
    for (const [, story] of stories) expect(story({ key, sentAt })).to.not.be.empty
  })

  it('joins both halves of a reschedule', () => {
    const [, half, created] = calendlyStories
      .reschedule({ key, sentAt })
      .map(({ body }) => JSON.parse(Buffer.from(body).toString()).payload)
    expect(half.new_invitee).to.equal(created.uri)
    expect(created.old_invitee).to.equal(half.uri)
    expect(created.event).to.not.equal(half.event)
    expect(half.scheduled_event.status).to.equal('canceled')
  })

  it('keeps stories of different prefixes apart, hosts included', () => {
    const names = (prefix: string) =>
      stories.flatMap(([, story]) =>
        story({ key, sentAt, prefix }).flatMap(({ body }) =>
          [
            ...Buffer.from(body)
              .toString()
              .matchAll(/(?:invitees|scheduled_events|users|submissions)\/([\w-]+)/g),
          ].map(([, id]) => id!),
        ),
      )
    const shared = names('one').filter(id => names('two').includes(id))
    expect(new Set(shared)).to.deep.equal(new Set(['US9']))
  })

  it('sends to an account, and now where nothing else is said', async () => {
    const delivery = calendlyDelivery({ key, event: 'invitee.created', account: 'a b' })
    expect(delivery.path).to.equal('/calendly/a%20b')
    expect(await verify(delivery, new Date())).to.have.property('keyIndex', 0)
  })

  it('replaces and leaves out fields', () => {
    const payload = { name: 'Zoë', email: undefined }
    const { body } = calendlyDelivery({ key, event: 'invitee.created', payload })
    const sent = JSON.parse(Buffer.from(body).toString()).payload
    expect(sent).to.include({ name: 'Zoë' }).and.not.have.property('email')
  })
})
