import { type CalcomApiBooking, type CalcomOptions, calcom } from '@booking-webhooks/calcom'
import {
  type Adapter,
  type FetchError,
  type FetchFailure,
  type Interpreted,
  type InterpretedFact,
  isBookingWebhooksError,
  type StoredBooking,
  type StoredReading,
} from '@booking-webhooks/core'
import { expect } from 'chai'
import nock from 'nock'
import { withoutNetwork } from '../support/without-network.js'
import { type LogLine, listLog } from '../support/workbench.js'
import { hash, receivedAt, stored, withPayload } from './at.js'
import { exampleSecret, examples } from './examples.js'
import { at, body } from './ledger.js'

const api = 'https://api.cal.com'
const apiKey = 'cal_test_key'
const withKey = (more: Partial<CalcomOptions> = {}) => calcom({ secret: exampleSecret, apiKey, ...more })
const withoutKey = calcom({ secret: exampleSecret })
const from = 'bK3mPq7RtVwXyZ2aBcDeFg'
const uid = 'dM5pRs9TvXyZ4cDeFgHjKk'

/** A request that replaces another booking, and does not say which. */
const unlinked = withPayload(examples.E5.body, {
  responses: { rescheduleReason: { label: 'r', value: 'later' } },
})
const found = {
  id: 9200,
  uid,
  status: 'pending',
  title: 'Intro',
  start: '2026-02-03T14:00:00.000Z',
  end: '2026-02-03T14:30:00.000Z',
  hosts: [{ id: 11, name: 'Olga Host', email: 'olga@example.com' }],
  attendees: [{ name: 'Ann Lee', email: 'ann@example.com' }],
  rescheduledFromUid: from,
  updatedAt: null,
} satisfies CalcomApiBooking & { id: number }

function booking(of: string, reply: object | object[] | null, status = 200) {
  const scope = nock(api, {
    reqheaders: { authorization: `Bearer ${apiKey}`, 'cal-api-version': '2024-08-13' },
  })
  scope.get(`/v2/bookings/${of}`).reply(status, { status: 'success', data: reply })
}

async function ask(reading: StoredReading, adapter: Adapter = withKey(), lines: LogLine[] = []) {
  const context = {
    signal: new AbortController().signal,
    now: receivedAt,
    log: listLog(lines),
    attempt: 1,
    serves: [reading],
  }
  return (await adapter.fetch?.(reading, context)) ?? null
}

async function failureOf(
  reading: StoredReading,
  adapter = withKey(),
): Promise<FetchFailure & { message: string }> {
  try {
    await ask(reading, adapter)
  } catch (error) {
    if (!isBookingWebhooksError(error, 'FETCH_FAILED')) throw error
    for (const secret of [apiKey, 'ann@example.com']) expect(error.message).to.not.contain(secret)
    return { ...(error as FetchError).failure, message: error.message }
  }
  throw new Error('It was answered.')
}

function interpret(
  reading: StoredReading,
  snapshot: unknown,
  known: StoredBooking | null = null,
  adapter = withKey(),
) {
  return adapter.interpret(reading, snapshot, known, { hash, connectedUs: 0 })
}

function lookOf([event]: Interpreted[]): StoredReading {
  const { look } = event as Partial<InterpretedFact>
  if (!look) throw new Error('no look')
  return {
    ...stored(examples.E1.body),
    dedupeKey: look.key,
    providerType: 'look',
    isLook: true,
    body: Buffer.from(JSON.stringify(look.subject)),
  }
}

const keysAndKinds = (events: Interpreted[]) =>
  events.map(event => [event.key, 'fact' in event ? event.fact.kind : 'none'])

describe('calcom: asking the API', () => {
  withoutNetwork()

  it('is not needed where the body tells all', () => {
    for (const { body: text } of [
      examples.E1,
      examples.E2,
      examples.E5,
      examples.E7,
      examples.E8,
      examples.E9,
      examples.E11,
    ])
      expect(withKey().needsFetch!(stored(text))).to.equal(false)
    expect(withKey().needsFetch!(stored('no json'))).to.equal(false)
  })

  it('finds the booking that a request replaces', async () => {
    booking(uid, found)
    const reading = stored(unlinked)
    expect(withKey().needsFetch!(reading)).to.equal(true)
    const snapshot = await ask(reading)
    const [event] = interpret(reading, snapshot)
    expect(event).to.have.nested.property('fact.kind', 'requested')
    expect(event).to.have.deep.nested.property('fact.previous', { kind: 'booking', id: from })
    expect(event).to.not.have.property('look')
  })

  it('takes a calendar id of another booking for a sign, never for the link', async () => {
    const sign = withPayload(examples.E5.body, { iCalUID: `${from}@Cal.com` })
    expect(withKey().needsFetch!(stored(sign))).to.equal(true)
    expect(interpret(stored(sign), null)[0]).to.have.deep.nested.property('fact.previous', null)
  })

  it('makes a reschedule of one that came without its link', async () => {
    booking('cL4nQr8SuWxYz3bCdEfGhJ', { ...found, uid: 'cL4nQr8SuWxYz3bCdEfGhJ', status: 'accepted' })
    const reading = stored(withPayload(examples.E2.body, { rescheduleUid: undefined }))
    const [event] = interpret(reading, await ask(reading))
    expect(event).to.have.nested.property('fact.kind', 'created')
    expect(event).to.have.deep.nested.property('fact.previous', { kind: 'booking', id: from })
  })

  it('fills in times and host of a body that lacks them', async () => {
    booking('bFJeNb2uX8ANpT3JL5EfXw', {
      ...found,
      uid: 'bFJeNb2uX8ANpT3JL5EfXw',
      rescheduledFromUid: undefined,
    })
    const reading = stored(examples.template.body)
    const [event] = interpret(reading, await ask(reading)) as InterpretedFact[]
    expect(event.fact).to.include({ startsUs: at(3, 14).getTime() * 1000, previous: null })
    expect(event.fact.resources).to.deep.equal(['user:11'])
    expect(event.fact.details?.booking?.title).to.equal('Zoë 👩‍🔬 & <Bob>')
  })

  it('never takes the link of a meeting for that of one of its seats', async () => {
    for (const lost of [{ seat: 'seat9' }, { seat: undefined }]) {
      booking('x', { ...found, uid: 'x' })
      const seat = { uid: 'x', seatsPerTimeSlot: 5, ...lost }
      const reading = stored(body('BOOKING_CREATED', 0, seat, { payload: { startTime: null } }))
      const [event] = interpret(reading, await ask(reading)) as InterpretedFact[]
      expect(event.fact).to.include({ startsUs: at(3, 14).getTime() * 1000, previous: null })
    }
    booking('x', { ...found, uid: 'x' })
    const nobody = body(
      'BOOKING_RESCHEDULED',
      0,
      { uid: 'x', seat: 'seat9' },
      { payload: { startTime: null, attendees: [] } },
    )
    const [event] = interpret(stored(nobody), await ask(stored(nobody))) as InterpretedFact[]
    expect(event.fact).to.deep.include({
      kind: 'moved',
      previous: null,
      target: { kind: 'booking', id: 'seat:seat9' },
    })
  })

  it('goes on without an answer where there is no such booking, or one of another uid', async () => {
    const reading = stored(unlinked)
    for (const answer of [null, [found], { ...found, uid: 'another' }]) {
      booking(uid, answer, answer ? 200 : 404)
      const snapshot = await ask(reading)
      expect(snapshot).to.deep.equal({ booking: null })
      const [event] = interpret(reading, snapshot)
      expect(event).to.have.deep.nested.property('fact.previous', null)
      expect(event).to.not.have.property('look')
    }
  })

  it('looks again later where it got no answer, and then joins the two', async () => {
    const reading = stored(unlinked)
    const look = lookOf(interpret(reading, null))
    booking(uid, found)
    const events = interpret(look, await ask(look))
    expect(keysAndKinds(events)).to.deep.equal([[`RESCHEDULED|${uid}`, 'requested']])
    expect(events[0]).to.have.deep.nested.property('fact.previous', { kind: 'booking', id: from })
    expect(events[0]).to.have.nested.property(
      'fact.occurredUs',
      Date.parse('2026-01-15T11:00:00.000Z') * 1000,
    )
  })

  it('warns where there is no API to ask, and guesses nothing', async () => {
    const series = withPayload(examples.E3.body, { recurringEvent: { freq: 2, count: 4, interval: 1 } })
    for (const text of [unlinked, series, examples.template.body]) {
      const lines: LogLine[] = []
      expect(withoutKey.needsFetch!(stored(text))).to.equal(true)
      expect(await ask(stored(text), withoutKey, lines)).to.equal(null)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({ level: 'warn' })
      expect(lines[0].message).to.contain('calcom({ apiKey })')
      expect(interpret(stored(text), null, null, withoutKey)[0]).to.not.have.property('look')
    }
  })

  describe('about a series', () => {
    const canceled = withPayload(examples.E3.body, { recurringEvent: { freq: 2, count: 4, interval: 1 } })
    const own = 'cL4nQr8SuWxYz3bCdEfGhJ'
    const occurrence = (name: string, status: string, more: object = {}) => ({
      ...found,
      uid: name,
      status,
      rescheduledFromUid: null,
      recurringBookingUid: 'series',
      updatedAt: '2026-01-17T08:30:02.000Z',
      ...more,
    })

    it('waits a minute, then cancels the others under the keys that webhooks would have had', async () => {
      const events = interpret(stored(canceled), null)
      expect(events).to.have.length(1)
      expect(events[0]).to.have.nested.property('look.afterMs').that.is.at.least(60_000)
      const look = lookOf(events)
      booking(own, occurrence(own, 'cancelled'))
      booking('series', [
        occurrence(own, 'cancelled'),
        occurrence('two', 'cancelled'),
        occurrence('kept', 'accepted'),
        occurrence('moved', 'cancelled', { rescheduledToUid: 'elsewhere' }),
        occurrence('seats', 'cancelled', { attendees: [{ seatUid: 's', email: 'ann@example.com' }] }),
      ])
      const told = interpret(look, await ask(look)) as InterpretedFact[]
      expect(keysAndKinds(told)).to.deep.equal([
        ['CANCELLED|two', 'canceled'],
        ['CANCELLED|seats*', 'canceled'],
      ])
      expect(told[0].fact.target).to.deep.equal({ kind: 'booking', id: 'two' })
      expect(told[0].fact.occurredUs).to.equal(Date.parse('2026-01-17T08:30:02.000Z') * 1000)
      expect(told[1].fact.target).to.deep.equal({ kind: 'meeting', meetingId: 'seats' })
    })

    it('accepts the others where one accept stood for all', async () => {
      const accepted = body(
        'BOOKING_CREATED',
        0,
        { uid: own, seriesOf: 4, requiresConfirmation: true },
        { isAccepted: true },
      )
      const look = lookOf(interpret(stored(accepted), null))
      booking(own, occurrence(own, 'accepted'))
      booking('series', [occurrence('two', 'accepted'), occurrence('three', 'pending')])
      expect(keysAndKinds(interpret(look, await ask(look)))).to.deep.equal([['CREATED|two', 'created']])
      const request = { status: 'requested' } as StoredBooking
      const plain = stored(body('BOOKING_CREATED', 0, { uid: own, seriesOf: 4 }))
      expect(interpret(plain, null, request)[0]).to.have.property('look')
      expect(interpret(plain, null)[0]).to.not.have.property('look')
    })

    it('finds nothing where the booking is in none', async () => {
      const look = lookOf(interpret(stored(canceled), null))
      booking(own, occurrence(own, 'cancelled', { recurringBookingUid: undefined }))
      expect(interpret(look, await ask(look))).to.deep.equal([
        { key: look.dedupeKey, unchanged: 'Cal.com knows of nothing more.' },
      ])
    })
  })

  describe('about a meeting with seats', () => {
    const group = 'eN6qStAUwYzA5dEfGhJkLm'
    const attended = { ...found, uid: group, rescheduledFromUid: null }

    it('waits a minute, and leaves alone who is not known to have left', async () => {
      const events = interpret(stored(examples.E8.body), null)
      expect(events[0]).to.have.nested.property('look.afterMs').that.is.at.least(60_000)
      const look = lookOf(events)
      booking(group, { ...attended, status: 'accepted', attendees: [] })
      expect(interpret(look, await ask(look))[0]).to.have.property('unchanged')
    })

    it('ends for all where it ended for all', async () => {
      const look = lookOf(interpret(stored(examples.E8.body), null))
      booking(group, { ...attended, status: 'cancelled' })
      const told = interpret(look, await ask(look)) as InterpretedFact[]
      expect(keysAndKinds(told)).to.deep.equal([[`CANCELLED|${group}*`, 'canceled']])
      expect(told[0].fact.target).to.deep.equal({ kind: 'meeting', meetingId: group })
    })

    it('moves all where it was put onto another one', async () => {
      const one = body('BOOKING_RESCHEDULED', 10, { uid: 'y', seatsPerTimeSlot: 5, replaces: { uid: 'x' } })
      const look = lookOf(interpret(stored(one), null))
      booking('x', { ...attended, uid: 'x', status: 'cancelled', rescheduledToUid: 'y' })
      booking('y', { ...attended, uid: 'y', status: 'accepted' })
      const told = interpret(look, await ask(look)) as InterpretedFact[]
      expect(keysAndKinds(told)).to.deep.equal([['RESCHEDULED|x*|y', 'moved']])
      expect(told[0].fact).to.deep.include({ target: { kind: 'meeting', meetingId: 'x' }, meetingId: 'y' })
    })

    it('is asked about where a cancel names nobody', async () => {
      const nobody = stored(withPayload(examples.E8.body, { attendees: null }))
      const events = interpret(nobody, null)
      expect(events[0]).to.have.property('unreadable')
      const look = lookOf(events)
      booking(group, { ...attended, status: 'awaiting_host' })
      expect(interpret(look, await ask(look))[0]).to.have.property('unchanged')
    })
  })

  describe('that fails', () => {
    const reading = stored(unlinked)
    const look = lookOf(interpret(reading, null))

    it('keeps no delivery waiting for credentials, but raises an alert', async () => {
      for (const status of [401, 403]) {
        booking(uid, null, status)
        expect(await failureOf(reading)).to.include({
          retry: 'never',
          alert: 'credentials',
          givenUp: 'without',
        })
      }
      booking(uid, null, 401)
      const failure = await failureOf(look)
      expect(failure).to.include({ alert: 'credentials', givenUp: 'without' })
      expect(failure.retry).to.be.a('number')
    })

    it('slows down as it is asked to', async () => {
      nock(api).get(`/v2/bookings/${uid}`).reply(429, '', { 'retry-after': '7' })
      expect(await failureOf(reading)).to.include({ retry: 7_000, pauseAccountMs: 7_000, givenUp: 'without' })
      nock(api).get(`/v2/bookings/${uid}`).reply(429)
      expect(await failureOf(look)).to.include({ retry: 60_000, pauseAccountMs: 60_000 })
    })

    it('keeps a delivery waiting for no longer than some seconds', async () => {
      nock(api).get(`/v2/bookings/${uid}`).reply(429, '', { 'retry-after': '3600' })
      const failure = await failureOf(reading)
      expect(failure).to.include({ retry: 'never', pauseAccountMs: 3_600_000, givenUp: 'without' })
      expect(withKey().waitsAtMostMs!(reading)).to.equal(10_000)
      expect(withKey().waitsAtMostMs!(look)).to.equal(Number.POSITIVE_INFINITY)
    })

    it('tries again a few times for a delivery, and longer for a look', async () => {
      for (const status of [500, 503, 302]) {
        booking(uid, null, status)
        expect(await failureOf(reading)).to.include({
          retry: 'backoff',
          counts: true,
          attempts: 4,
          givenUp: 'without',
        })
      }
      booking(uid, null, 500)
      expect((await failureOf(look)).attempts).to.be.greaterThan(10)
      booking(uid, null, 400)
      expect(await failureOf(look)).to.include({ retry: 'never', givenUp: 'without' })
    })

    it('takes no page, no list and no silence for an answer', async () => {
      nock(api).get(`/v2/bookings/${uid}`).reply(200, '<html>')
      expect((await failureOf(reading)).retry).to.equal('backoff')
      nock(api).get(`/v2/bookings/${uid}`).reply(200, { status: 'success' })
      expect((await failureOf(reading)).retry).to.equal('backoff')
      nock(api).get(`/v2/bookings/${uid}`).replyWithError(`refused ${apiKey}`)
      expect((await failureOf(reading)).message).to.contain('could not be reached')
      nock(api).get(`/v2/bookings/${uid}`).delay(200).reply(200, {})
      expect((await failureOf(reading, withKey({ timeoutMs: 20 }))).message).to.contain('20 ms')
      nock.abortPendingRequests()
    })

    it('stops at once where the lane is lost', async () => {
      const lost = new AbortController()
      nock(api).get(`/v2/bookings/${uid}`).delay(200).reply(200, {})
      const asked = withKey().fetch!(reading, {
        signal: lost.signal,
        now: receivedAt,
        log: listLog([]),
        attempt: 1,
        serves: [reading],
      })
      setTimeout(() => lost.abort(new Error('lost')), 20)
      expect(await asked.catch(error => error.message)).to.equal('lost')
      nock.abortPendingRequests()
    })
  })

  it('never asks for what a path would read as something else', async () => {
    const dots = stored(withPayload(unlinked, { uid: '..' }))
    expect(await ask(dots)).to.deep.equal({ booking: null })
  })

  it('takes a token anew when one was refused', async () => {
    const asked: boolean[] = []
    const adapter = calcom({
      secret: { acme: exampleSecret },
      apiUrl: 'https://cal.example.com/api/v2/',
      getToken: (account, { isRefused }) => {
        expect(account).to.equal('acme')
        asked.push(isRefused)
        return isRefused ? 'fresh' : 'stale'
      },
    })
    const self = 'https://cal.example.com'
    nock(self, { reqheaders: { authorization: 'Bearer stale' } })
      .get(`/api/v2/bookings/${uid}`)
      .reply(401)
    nock(self, { reqheaders: { authorization: 'Bearer fresh' } })
      .get(`/api/v2/bookings/${uid}`)
      .reply(200, { status: 'success', data: found })
    expect(await ask({ ...stored(unlinked), account: 'acme' }, adapter)).to.deep.equal({ booking: found })
    expect(asked).to.deep.equal([false, true])
  })

  it('opens the API as a platform, and hides what a token function throws', async () => {
    nock(api, { reqheaders: { 'x-cal-client-id': 'id', 'x-cal-secret-key': 'key' } })
      .get(`/v2/bookings/${uid}`)
      .reply(200, { status: 'success', data: found })
    const platform = calcom({ secret: exampleSecret, platform: { clientId: 'id', secretKey: 'key' } })
    expect(await ask(stored(unlinked), platform)).to.deep.equal({ booking: found })
    const throws = calcom({ secret: exampleSecret, getToken: () => Promise.reject(new Error(apiKey)) })
    expect((await failureOf(stored(unlinked), throws)).message).to.equal('calcom({ getToken }) threw.')
  })

  it('goes on without a key that cannot be had, and hides what its function throws', async () => {
    const failure = (key: () => Promise<string>) =>
      failureOf(stored(unlinked), calcom({ secret: exampleSecret, apiKey: key }))
    const goesOn = { counts: true, attempts: 4, givenUp: 'without' }
    const thrown = await failure(() => Promise.reject(new Error(apiKey)))
    expect(thrown).to.include({ message: 'calcom({ apiKey }) threw.', ...goesOn })
    const refused = await failure(() => Promise.resolve(`${apiKey}\n`))
    expect(refused).to.include(goesOn)
    expect(refused.message).to.contain('calcom({ apiKey }) for account "default" cannot be right')
  })
})
