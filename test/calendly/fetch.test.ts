import { type CalendlyOptions, calendly } from '@booking-webhooks/calendly'
import { samplePayload } from '@booking-webhooks/calendly/testing'
import {
  type FetchError,
  type FetchFailure,
  type InterpretedFact,
  isBookingWebhooksError,
  standardErrorLog,
} from '@booking-webhooks/core'
import { expect } from 'chai'
import nock from 'nock'
import { withoutNetwork } from '../support/without-network.js'
import { adapter, api, interpret, key, lookFor, person, sentAt, stored, uri } from './bench.js'

const { scheduled_event, ...invitee } = samplePayload({ ...person(2), oldInvitee: person(1) }, sentAt)
const old = (more: object = {}) =>
  stored({ event: 'invitee.canceled', invitee: person(1), payload: { scheduled_event: undefined, ...more } })
const withToken = (more: Partial<CalendlyOptions> = {}) =>
  calendly({ signingKey: key, token: 'token-1', ...more })
const ask = (reading = old(), adapter = withToken()) =>
  adapter.fetch!(reading, {
    signal: new AbortController().signal,
    now: sentAt,
    log: standardErrorLog,
    attempt: 1,
    serves: [reading],
  })
const bearer = (token: string) => nock(api, { reqheaders: { authorization: `Bearer ${token}` } })

async function failureOf(
  reading = old(),
  adapter = withToken(),
): Promise<FetchFailure & { message: string }> {
  try {
    await ask(reading, adapter)
  } catch (error) {
    if (!isBookingWebhooksError(error, 'FETCH_FAILED')) throw error
    for (const secret of ['token-1', 'ann@example.com']) expect(error.message).to.not.contain(secret)
    return { ...(error as FetchError).failure, message: error.message }
  }
  throw new Error('It was answered.')
}

describe('calendly: fetch', () => {
  withoutNetwork()

  it('is never needed without a token', () => {
    const adapter = calendly({ signingKey: key })
    expect(adapter.fetch).to.equal(undefined)
    expect(adapter.warnings).to.have.length(1)
    expect(withToken().warnings).to.deep.equal([])
  })

  it('is needed where a payload holds no meeting, and for a look', () => {
    const needsFetch = withToken().needsFetch!
    expect(needsFetch(old())).to.equal(true)
    expect(needsFetch(stored({ payload: { scheduled_event: null } }))).to.equal(true)
    expect(
      needsFetch(stored({ event: 'invitee_no_show.created', payload: { scheduled_event: 'x' } })),
    ).to.equal(true)
    expect(needsFetch(lookFor(uri(2)))).to.equal(true)
    expect(needsFetch(stored({}))).to.equal(false)
    expect(needsFetch(old({ new_invitee: uri(2) }))).to.equal(false)
    expect(needsFetch(stored({ event: 'meeting_poll.created' }))).to.equal(false)
    expect(needsFetch(stored('no json'))).to.equal(false)
    expect(needsFetch(lookFor('https://evil.example/scheduled_events/EV2/invitees/IN2'))).to.equal(false)
    expect(needsFetch({ ...lookFor(uri(2)), body: Buffer.from('no json') })).to.equal(false)
  })

  it('gets the meeting, and the booking is told with it', async () => {
    bearer('token-1').get('/scheduled_events/EV1').reply(200, { resource: scheduled_event })
    const snapshot = await ask()
    expect(snapshot).to.deep.equal({ scheduled_event })
    const [event] = interpret(old(), snapshot)
    expect(event).to.have.nested.property('fact.details.booking.title', 'Intro call')
    expect(event).to.have.nested.property('fact.resources[0]', `${api}/users/US1`)
  })

  it('gets the meeting that the payload names, else the one of the invitee', async () => {
    bearer('token-1').get('/scheduled_events/EV7').reply(200, { resource: scheduled_event })
    await ask(old({ event: `${api}/scheduled_events/EV7` }))
    bearer('token-1').get('/scheduled_events/EV1').reply(200, { resource: scheduled_event })
    await ask(old({ event: undefined }))
  })

  it('sends the token to the API alone, whatever URL a payload names', async () => {
    nock(api).get('/scheduled_events/EV1').times(4).reply(200, { resource: scheduled_event })
    for (const event of [
      'https://evil.example/scheduled_events/EV1',
      'https://api.calendly.com.evil.example/scheduled_events/EV1',
      'https://api.calendly.com@evil.example/scheduled_events/EV1',
      `${api}/scheduled_events/../users/me`,
    ])
      await ask(old({ event }))
    const nowhere = old({
      event: `${api}/scheduled_events/%2e%2e`,
      uri: 'https://evil.example/scheduled_events/EV1/invitees/IN1',
    })
    expect(withToken().needsFetch!(nowhere)).to.equal(false)
    expect(await ask(nowhere)).to.equal(null)
  })

  it('asks another base where one is set', async () => {
    nock('http://127.0.0.1:9').get('/v2/scheduled_events/EV1').reply(200, { resource: scheduled_event })
    await ask(old(), withToken({ apiUrl: 'http://127.0.0.1:9/v2/' }))
  })

  it('asks for the token of the account, each time', async () => {
    const asked: string[] = []
    const getToken = async (account: string) => {
      asked.push(account)
      return `token of ${asked.length}`.replaceAll(' ', '-')
    }
    const adapter = calendly({ signingKey: key, getToken })
    bearer('token-of-1').get('/scheduled_events/EV1').reply(200, { resource: scheduled_event })
    bearer('token-of-2').get('/scheduled_events/EV1').reply(200, { resource: scheduled_event })
    await ask({ ...old(), account: 'acme' }, adapter)
    await ask({ ...old(), account: 'beta' }, adapter)
    expect(asked).to.deep.equal(['acme', 'beta'])
  })

  it('asks for another token once, where the first is refused', async () => {
    const asked: boolean[] = []
    const getToken = (_account: string, { isRefused }: { isRefused: boolean }) => {
      asked.push(isRefused)
      return isRefused ? 'token-2' : 'token-1'
    }
    bearer('token-1').get('/scheduled_events/EV1').reply(401)
    bearer('token-2').get('/scheduled_events/EV1').reply(200, { resource: scheduled_event })
    expect(await ask(old(), calendly({ signingKey: key, getToken }))).to.deep.equal({ scheduled_event })
    expect(asked).to.deep.equal([false, true])
    bearer('token-1').get('/scheduled_events/EV1').reply(401)
    bearer('token-2').get('/scheduled_events/EV1').reply(401)
    expect(await failureOf(old(), calendly({ signingKey: key, getToken }))).to.deep.include({
      alert: 'credentials',
    })
  })

  it('tells nothing of what getToken threw, and takes no token from it that is none', async () => {
    const throwing = () => {
      throw new Error('token-1')
    }
    for (const getToken of [throwing, async () => throwing(), () => '', () => 'token-1\n', () => 17 as never])
      expect(await failureOf(old(), calendly({ signingKey: key, getToken }))).to.deep.include({
        retry: 'backoff',
      })
  })

  it('tells nothing of what a function for the token threw, and goes on without in the end', async () => {
    const throwing = () => {
      throw new Error('token-1')
    }
    const settings: [token: CalendlyOptions['token'], message: string][] = [
      [throwing, 'calendly({ token }) threw.'],
      [async () => throwing(), 'calendly({ token }) threw.'],
      [() => ' ', 'calendly({ token }) for account "default" is empty. Is CALENDLY_API_TOKEN set?'],
    ]
    for (const [token, message] of settings)
      expect(await failureOf(old(), calendly({ signingKey: key, token }))).to.deep.include({
        message,
        retry: 'backoff',
        attempts: 8,
        givenUp: 'without',
      })
  })

  it('has a token for each account where several are set', async () => {
    const adapter = calendly({ signingKey: key, token: { acme: 'token-a', beta: 'token-b' } })
    bearer('token-b').get('/scheduled_events/EV1').reply(200, { resource: scheduled_event })
    await ask({ ...old(), account: 'beta' }, adapter)
    expect(await ask(old(), adapter)).to.equal(null)
  })

  it('asks nothing for an account without a token', async () => {
    expect(await ask(old(), calendly({ signingKey: key, getToken: () => null }))).to.equal(null)
  })

  describe('when Calendly does not tell', () => {
    const answers: [status: number, expected: Partial<FetchFailure>][] = [
      [401, { retry: 'never', alert: 'credentials', givenUp: 'without' }],
      [403, { retry: 'never', alert: 'permission', givenUp: 'without' }],
      [404, { retry: 'never', counts: true, givenUp: 'without' }],
      [400, { retry: 'never', givenUp: 'without' }],
      [408, { retry: 'never', givenUp: 'without' }],
      [500, { retry: 'backoff', counts: true, attempts: 8, givenUp: 'without' }],
      [503, { retry: 'backoff', counts: true, attempts: 8, givenUp: 'without' }],
      [204, { retry: 'backoff', counts: true, givenUp: 'without' }],
    ]
    for (const [status, expected] of answers)
      it(`goes on after ${status} as it should`, async () => {
        nock(api).get('/scheduled_events/EV1').reply(status, { title: 'ann@example.com', message: 'token-1' })
        expect(await failureOf()).to.deep.include(expected)
      })

    it('follows no redirect', async () => {
      nock(api).get('/scheduled_events/EV1').reply(302, '', { location: 'https://evil.example/' })
      expect(await failureOf()).to.deep.include({
        message: 'Calendly answered 302 where 200 was expected.',
        retry: 'backoff',
        givenUp: 'without',
      })
    })

    it('waits as long as it is asked to, with the whole account, and counts no try', async () => {
      const waits: [headers: Record<string, string>, waitMs: number][] = [
        [{ 'x-ratelimit-reset': '42' }, 42_000],
        [{ 'x-ratelimit-reset': '42', 'retry-after': '7' }, 7_000],
        [{ 'x-ratelimit-reset': '0' }, 1_000],
        [{ 'x-ratelimit-reset': 'soon' }, 60_000],
        [{}, 60_000],
      ]
      for (const [headers, waitMs] of waits) {
        nock(api).get('/scheduled_events/EV1').reply(429, '', headers)
        expect(await failureOf()).to.deep.include({ retry: waitMs, pauseAccountMs: waitMs, counts: false })
      }
    })

    it('tries again after anything that is no resource', async () => {
      for (const body of ['<html>', '[]', '{}', '{"resource":null}', '{"resource":"x"}', '']) {
        nock(api).get('/scheduled_events/EV1').reply(200, body)
        expect(await failureOf()).to.deep.include({ retry: 'backoff', givenUp: 'without' })
      }
    })

    it('tries again after a broken connection', async () => {
      nock(api).get('/scheduled_events/EV1').replyWithError('socket hang up')
      expect(await failureOf()).to.deep.include({ retry: 'backoff', counts: true, givenUp: 'without' })
    })

    it('tells the booking with nulls in the end', () => {
      expect(interpret(old(), null)[0]).to.deep.nested.include({
        'fact.startsUs': null,
        'fact.resources': null,
      })
    })
  })

  describe('the second look for a half that never came', () => {
    const found = (more: object = {}) => ({ invitee: { ...invitee, ...more }, scheduled_event })

    it('gets the new invitee and its meeting', async () => {
      bearer('token-1').get('/scheduled_events/EV2/invitees/IN2').reply(200, { resource: invitee })
      bearer('token-1').get('/scheduled_events/EV2').reply(200, { resource: scheduled_event })
      expect(await ask(lookFor(uri(2)))).to.deep.equal(found())
    })

    it('does not wait for a link', async () => {
      const location = { type: 'zoom', status: 'processing', join_url: null }
      const meeting = { ...(scheduled_event as object), location }
      nock(api).get('/scheduled_events/EV2/invitees/IN2').reply(200, { resource: invitee })
      nock(api).get('/scheduled_events/EV2').reply(200, { resource: meeting })
      expect(await ask(lookFor(uri(2)))).to.deep.equal({ invitee, scheduled_event: meeting })
    })

    it('is taken again for a day, whether the API or the token is what fails', async () => {
      const answers: [status: number, expected: Partial<FetchFailure>][] = [
        [401, { retry: 1_800_000, counts: true, attempts: 48, alert: 'credentials' }],
        [403, { retry: 'never', alert: 'permission' }],
        [404, { retry: 'never' }],
        [408, { retry: 'backoff', counts: true, attempts: 48 }],
        [500, { retry: 'backoff', counts: true, attempts: 48 }],
      ]
      for (const [status, expected] of answers) {
        nock(api).get('/scheduled_events/EV2/invitees/IN2').reply(status)
        expect(await failureOf(lookFor(uri(2)))).to.deep.include({ ...expected, givenUp: 'without' })
      }
    })

    it('tells what the delivery would have told, under its key', () => {
      const [event, ...more] = interpret(lookFor(uri(2)), found())
      const delivered = interpret(stored({ invitee: { ...person(2), oldInvitee: person(1) } }))[0]
      expect(more).to.deep.equal([])
      expect(event).to.have.property('key', `invitee.created:${uri(2)}`)
      expect({ ...event, raw: null }).to.deep.equal({
        ...delivered,
        raw: null,
        providerType: 'invitee.created',
      })
      expect(event).to.have.nested.property('raw.payload.scheduled_event.name', 'Intro call')
    })

    it('also tells that it was canceled, moved on or marked since', () => {
      const keys = (more: object) => interpret(lookFor(uri(2)), found(more)).map(event => event.key)
      const created = `invitee.created:${uri(2)}`
      const canceled = `invitee.canceled:${uri(2)}`
      expect(keys({ status: 'canceled' })).to.deep.equal([created, canceled])
      expect(keys({ no_show: { uri: `${api}/invitee_no_shows/NS1` } })).to.deep.equal([
        created,
        `invitee_no_show.created:${uri(2)}:${api}/invitee_no_shows/NS1`,
      ])
      const moved = interpret(lookFor(uri(2)), found({ status: 'canceled', new_invitee: uri(3) }))
      expect(moved[1]).to.deep.nested.include({ 'fact.kind': 'half', 'look.subject': { invitee: uri(3) } })
    })

    it('believes its own question, not the URI in the answer', () => {
      const [event] = interpret(lookFor(uri(2)), found({ uri: uri(7) }))
      expect(event).to.have.nested.property('fact.target.id', uri(2))
    })

    it('finds nothing where nothing was told', () => {
      for (const snapshot of [null, {}, { invitee: null }, 'x'])
        expect(interpret(lookFor(uri(2)), snapshot)).to.deep.equal([
          { key: `look:${uri(2)}`, unchanged: 'Calendly did not tell of the other half.' },
        ])
    })

    it('is not taken for a delivery of that name, nor the other way round', () => {
      expect(stored({ event: 'look' })).to.deep.include({ providerType: 'look', isLook: false })
      expect(interpret(stored({ event: 'look' }))[0]).to.have.property('type', 'provider.look')
    })
  })

  describe('the second look for a link that was not there yet', () => {
    const coming = { type: 'google_conference', status: 'processing', join_url: null }
    const there = { type: 'google_conference', status: 'pushed', join_url: 'https://example.com/j' }
    const meeting = (location: unknown) => ({ ...(scheduled_event as object), location })
    const booked = (location: unknown, more: object = {}) =>
      stored({ invitee: person(1), payload: { scheduled_event: meeting(location), ...more } })
    const lookOf = (reading: ReturnType<typeof stored>, snapshot: unknown = null) =>
      (interpret(reading, snapshot, null, withToken())[0] as InterpretedFact).look
    const body = Buffer.from(JSON.stringify(lookOf(booked(coming))!.subject))
    const due = { ...lookFor(uri(1)), dedupeKey: `look:link:${uri(1)}`, body }

    it('comes after a create whose conference is still being made', () => {
      expect(lookOf(booked(coming))).to.deep.equal({
        key: `look:link:${uri(1)}`,
        lane: `look:link:${uri(1)}`,
        afterMs: 30_000,
        subject: { invitee: uri(1), meeting: `${api}/scheduled_events/EV1` },
        unlessKnown: null,
      })
      const old = stored({ invitee: person(1), payload: { scheduled_event: undefined } })
      expect(lookOf(old, { scheduled_event: meeting(coming) })).to.have.property('afterMs', 30_000)
    })

    it('does not come where there is nothing to wait for', () => {
      for (const location of [there, { ...coming, status: 'failed' }, { type: 'physical' }, null, 'x'])
        expect(lookOf(booked(location))).to.equal(undefined)
      const over = { ...meeting(coming), status: 'canceled' }
      expect(lookOf(booked(coming, { scheduled_event: over }))).to.equal(undefined)
      expect(lookOf(booked(coming, { status: 'canceled' }))).to.equal(undefined)
      expect(lookOf(booked(coming, { event: 'https://evil.example/' }))).to.equal(undefined)
      const payload = { scheduled_event: meeting(coming) }
      expect(lookOf(stored({ event: 'invitee_no_show.created', payload }))).to.equal(undefined)
      expect(interpret(booked(coming))[0]).to.deep.include({ look: undefined })
    })

    it('tells the link, and nothing else', async () => {
      const { scheduled_event: _, ...attendee } = samplePayload(person(1), sentAt)
      nock(api)
        .get('/scheduled_events/EV1')
        .reply(200, { resource: meeting(there) })
        .get('/scheduled_events/EV1/invitees/IN1')
        .reply(200, { resource: attendee })
      const snapshot = await ask(due)
      const [{ key: name, fact }] = interpret(due, snapshot) as [InterpretedFact]
      expect(name).to.equal(due.dedupeKey)
      expect(fact).to.deep.include({
        kind: 'updated',
        target: { kind: 'booking', id: uri(1) },
        occurredUs: null,
        startsUs: null,
        resources: null,
        details: { booking: { location: { kind: 'video', url: 'https://example.com/j', text: null } } },
      })
    })

    it('tells no link to one who has canceled meanwhile', () => {
      const snapshot = { invitee: { status: 'canceled' }, scheduled_event: meeting(there) }
      expect(interpret(due, snapshot)).to.deep.equal([
        { key: due.dedupeKey, unchanged: 'The booking is over by now, and needs no link.' },
      ])
    })

    it('tries again while it is still being made, but not for ever', async () => {
      nock(api)
        .get('/scheduled_events/EV1')
        .reply(200, { resource: meeting(coming) })
      expect(await failureOf(due)).to.deep.include({ retry: 'backoff', attempts: 8, givenUp: 'without' })
      const over = { scheduled_event: { ...meeting(there), status: 'canceled' } }
      for (const snapshot of [null, { scheduled_event: meeting({ ...coming, status: 'failed' }) }, over, {}])
        expect(interpret(due, snapshot)).to.deep.equal([
          { key: due.dedupeKey, unchanged: 'The conference has no link yet.' },
        ])
    })

    it('asks for no other URL', () => {
      const elsewhere = JSON.stringify({
        invitee: uri(1),
        meeting: 'https://evil.example/scheduled_events/EV1',
      })
      expect(withToken().needsFetch!({ ...due, body: Buffer.from(elsewhere) })).to.equal(false)
      expect(interpret({ ...due, body: Buffer.from('[]') })[0]).to.have.property('unreadable')
    })
  })

  describe('the second look for those who were in a meeting that was canceled', () => {
    const meetingUri = `${api}/scheduled_events/EV9`
    const over = { ...(scheduled_event as object), uri: meetingUri, status: 'canceled' }
    const canceled = (number: number, more: object = {}) => ({
      ...invitee,
      uri: uri(number, 9),
      event: meetingUri,
      status: 'canceled',
      old_invitee: null,
      cancellation: { canceler_type: 'host', created_at: '2026-10-13T10:00:00.100000Z' },
      ...more,
    })
    const counted = (limit: number, total: number) => ({ invitees_counter: { total, active: 0, limit } })
    const lookAfter = (meeting: object, more: object = {}, adapter = withToken()) => {
      const payload = { ...canceled(4), scheduled_event: { ...over, ...meeting }, ...more }
      const [event] = interpret(stored({ event: 'invitee.canceled', payload }), null, null, adapter)
      return (event as InterpretedFact).look
    }
    const body = Buffer.from(JSON.stringify({ meeting: meetingUri }))
    const due = { ...lookFor(uri(4, 9)), dedupeKey: `look:meeting:${meetingUri}`, body }
    const list = `/scheduled_events/EV9/invitees?count=100&status=canceled`

    it('comes after the first cancel that tells of it', () => {
      expect(lookAfter(counted(10, 2))).to.deep.equal({
        key: `look:meeting:${meetingUri}`,
        lane: `look:meeting:${meetingUri}`,
        afterMs: 600_000,
        subject: { meeting: meetingUri },
        unlessKnown: null,
      })
      expect(lookAfter({ invitees_counter: undefined })).to.have.property('afterMs', 600_000)
    })

    it('does not come where there is nobody else, or nobody to ask', () => {
      for (const meeting of [counted(1, 1), counted(10, 1), { ...counted(10, 2), status: 'active' }])
        expect(lookAfter(meeting)).to.equal(undefined)
      expect(lookAfter(counted(10, 2), { event: 'https://evil.example/' })).to.equal(undefined)
      expect(lookAfter(counted(10, 2), {}, calendly({ signingKey: key }))).to.equal(undefined)
    })

    it('gets all pages of those who are gone, whatever address an answer names', async () => {
      const next_page = 'https://evil.example/scheduled_events/EV9/invitees'
      const page = (number: number, next_page_token: string | null) => ({
        collection: [canceled(number)],
        pagination: { next_page, next_page_token },
      })
      bearer('token-1').get('/scheduled_events/EV9').reply(200, { resource: over })
      bearer('token-1').get(list).reply(200, page(4, 'a&b'))
      bearer('token-1').get(`${list}&page_token=a%26b`).reply(200, page(5, null))
      expect(await ask(due)).to.deep.equal({ invitees: [canceled(4), canceled(5)], scheduled_event: over })
    })

    it('tries again after a page that is no list', async () => {
      bearer('token-1').get('/scheduled_events/EV9').reply(200, { resource: over })
      bearer('token-1').get(list).reply(200, { collection: null })
      expect(await failureOf(due)).to.deep.include({ retry: 'backoff', attempts: 48, givenUp: 'without' })
    })

    it('tells the cancels that Calendly knows of, under the keys of their deliveries, and no other', () => {
      const invitees = [
        canceled(4),
        canceled(5, { status: 'active' }),
        canceled(6),
        canceled(7, { uri: uri(7, 8) }),
        canceled(8, { uri: undefined }),
        'x',
      ]
      const found = interpret(due, { invitees, scheduled_event: over })
      const delivered = interpret(
        stored({ event: 'invitee.canceled', payload: { ...canceled(6), scheduled_event: over } }),
      )[0]
      expect(found.map(event => event.key)).to.deep.equal(
        [4, 6].map(number => `invitee.canceled:${uri(number, 9)}`),
      )
      expect({ ...found[1], raw: null, look: null }).to.deep.equal({
        ...delivered,
        raw: null,
        look: null,
        providerType: 'invitee.canceled',
      })
    })

    it('tells of nobody who had canceled before the account was connected', () => {
      const connectedUs = Date.parse('2026-10-13T10:00:01Z') * 1000
      const snapshot = { invitees: [canceled(4)], scheduled_event: over }
      const found = adapter.interpret(due, snapshot, null, { hash: text => text, connectedUs })
      expect(found).to.deep.equal([
        { key: due.dedupeKey, unchanged: 'Calendly did not tell of another cancel.' },
      ])
    })

    it('finds nothing where nothing was told', () => {
      for (const snapshot of [null, {}, { invitees: null }, { invitees: 'x', scheduled_event: over }])
        expect(interpret(due, snapshot)).to.deep.equal([
          { key: due.dedupeKey, unchanged: 'Calendly did not tell of another cancel.' },
        ])
    })
  })

  describe('settings', () => {
    it('refuse what cannot work', () => {
      const broken: Partial<CalendlyOptions>[] = [
        { token: '' },
        { token: 'a b' },
        { token: 'token\n' },
        { token: 'a', getToken: () => 'b' },
        { token: 'a', apiUrl: 'ftp://example.com' },
        { token: 'a', apiUrl: 'https://' },
        { token: 'a', apiUrl: '' },
        { token: 'a', timeoutMs: 0 },
        { token: { acme: undefined } },
        { missingHalfMs: -1 },
        { missingHalfMs: Number.NaN },
      ]
      for (const options of broken)
        expect(() => calendly({ signingKey: key, ...options }), JSON.stringify(options))
          .to.throw()
          .with.property('code', 'INVALID_OPTION')
    })

    it('say how long to wait for the other half', () => {
      const adapter = calendly({ signingKey: key, missingHalfMs: 5 })
      const half = stored({ event: 'invitee.canceled', invitee: { ...person(1), newInvitee: person(2) } })
      expect(interpret(half, null, null, adapter)[0]).to.have.nested.property('look.afterMs', 5)
    })
  })
})
