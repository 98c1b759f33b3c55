import { setTimeout as sleep } from 'node:timers/promises'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { type BookingEvent, doNotRetry, retryAfter, type TellContext } from '@booking-webhooks/core'
import { expect } from 'chai'
import { until } from '../crash/members.js'
import { signingKey, type Workbench, type WorkbenchOptions, workbench } from '../support/workbench.js'

describe('telling', () => {
  let bench: Workbench
  let nowMs: number
  beforeEach(() => {
    nowMs = Date.UTC(2027, 2, 1, 9)
  })
  afterEach(() => bench.close())

  /** One subscriber, on a clock that stands still. */
  function begin(
    tell: (event: BookingEvent, context: TellContext) => unknown,
    options: WorkbenchOptions = {},
  ): void {
    bench = workbench({
      store: { now: () => nowMs * 1000 },
      backoff: { baseMs: 1_000, capMs: 1_000 },
      random: () => 1,
      subscribers: { calendar: { takes: ['*'], tell } },
      ...options,
    })
  }

  async function advance(ms: number): Promise<void> {
    nowMs += ms
    await bench.inbox.drain()
  }

  const tells = async () => (await bench.inbox.events()).rows[0]!.tells[0]!

  it('tries again no sooner than the callback asks for, and no sooner than the back-off', async () => {
    const attempts: number[] = []
    const asked = [60_000, 10, Number.POSITIVE_INFINITY, 0]
    begin((_, { attempt }) => {
      attempts.push(nowMs)
      if (attempt <= asked.length) throw retryAfter(asked[attempt - 1]!, 'later')
    })
    await bench.calendly({ event: 'invitee.created' })
    await advance(59_999)
    expect(attempts).to.have.length(1)
    await advance(1)
    await advance(999)
    expect(attempts).to.have.length(2)
    await advance(1)
    expect(attempts).to.have.length(3)
    await advance(6 * 86_400_000)
    expect(attempts).to.have.length(3)
    await advance(86_400_000)
    await advance(1_000)
    expect(attempts).to.have.length(5)
    expect(await tells()).to.include({ status: 'done', attempts: 5, lastError: 'later' })
  })

  it('gives up at once where the callback says that trying again is in vain, and goes on with what comes next', async () => {
    const heard: string[] = []
    begin(({ type }) => {
      heard.push(type)
      if (type === 'booking.created') throw doNotRetry('The calendar is gone.')
    })
    await bench.calendly({ event: 'invitee.created' })
    await bench.calendly({ event: 'invitee.canceled' })
    expect(heard).to.deep.equal(['booking.created', 'booking.canceled'])
    const [dead] = (await bench.inbox.events({ status: 'dead' })).rows
    expect(dead).to.include({ type: 'booking.created', attempts: 1, lastError: 'The calendar is gone.' })
  })

  it('waits longer after each failure, up to the cap, and is dead when the attempts are used up', async () => {
    const gaps: number[] = []
    let lastMs = 0
    begin(
      () => {
        gaps.push(nowMs - lastMs)
        lastMs = nowMs
        throw new Error('down')
      },
      { backoff: { baseMs: 1_000, capMs: 4_000 }, attempts: 5 },
    )
    await bench.calendly({ event: 'invitee.created' })
    for (let second = 0; second < 20; second += 1) await advance(1_000)
    expect(gaps.slice(1)).to.deep.equal([1_000, 2_000, 4_000, 4_000])
    expect(await tells()).to.include({ status: 'dead', attempts: 5 })
  })

  it('aborts the signal when a subscriber’s own time is up, and takes that for a failure', async () => {
    const aborted: unknown[] = []
    begin(() => {}, {
      timeoutMs: 60_000,
      subscribers: {
        slow: {
          takes: ['*'],
          timeoutMs: 30,
          tell: (_, { signal, attempt }) =>
            attempt === 1
              ? new Promise(() => signal.addEventListener('abort', () => aborted.push(signal.reason)))
              : null,
        },
        deaf: { takes: ['*'], timeoutMs: 40, attempts: 1, tell: () => new Promise(() => {}) },
      },
    })
    await bench.calendly({ event: 'invitee.created' })
    expect(aborted.map(reason => (reason as { code: string }).code)).to.deep.equal(['TIMED_OUT'])
    await advance(1_000)
    const [event] = (await bench.inbox.events()).rows
    expect(event!.tells.sort((a, b) => (a.subscriber < b.subscriber ? -1 : 1))).to.deep.equal([
      {
        subscriber: 'deaf',
        status: 'dead',
        attempts: 1,
        lastError: 'The subscriber took longer than 40 ms.',
      },
      {
        subscriber: 'slow',
        status: 'done',
        attempts: 2,
        lastError: 'The subscriber took longer than 30 ms.',
      },
    ])
  })

  it('goes on telling everybody else while a subscriber hangs in every place that it has', async () => {
    const heard: string[] = []
    let running = 0
    let hangUp = () => {}
    const hangsUp = new Promise<void>(resolve => {
      hangUp = resolve
    })
    begin(() => {}, {
      store: {},
      dispatch: true,
      pollMs: 20,
      concurrency: 2,
      subscribers: {
        hung: {
          takes: ['*'],
          timeoutMs: 60_000,
          tell() {
            running += 1
            return hangsUp
          },
        },
        well: { takes: ['*'], tell: ({ booking }) => void heard.push(booking!.id) },
      },
    })
    for (let number = 0; number < 6; number += 1)
      await bench.deliver(
        calendlyDelivery({
          key: signingKey,
          event: 'invitee.created',
          invitee: { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] },
        }),
      )
    await until(() => heard.length === 6, 5_000).finally(hangUp)
    expect(running).to.equal(2)
  })

  it('leaves out a type of a provider’s own that is null, beside all others of it', async () => {
    const heard: string[] = []
    const tell = ({ type }: BookingEvent) => void heard.push(type)
    begin(() => {}, { on: { 'provider.*': tell, 'provider.one': null } })
    await bench.calendly({ event: 'one', payload: {} })
    await bench.calendly({ event: 'two', payload: {} })
    expect(heard).to.deep.equal(['provider.two'])
  })

  it('begins no step once the time is up: its result could not be kept, and it would run twice', async () => {
    const steps: string[] = []
    let late: Promise<unknown> = Promise.resolve()
    begin(
      async (_, { once, attempt }) => {
        const run = async () => {
          await once('calendar', () => steps.push('calendar'))
          if (attempt === 1) await sleep(80)
          await once('mail', () => steps.push('mail'))
        }
        const running = run()
        if (attempt === 1) late = running.catch(error => error.code)
        await running
      },
      { timeoutMs: 40 },
    )
    await bench.calendly({ event: 'invitee.created' })
    expect(await late).to.equal('TIMED_OUT')
    await advance(1_000)
    expect(steps).to.deep.equal(['calendar', 'mail'])
  })

  it('does not run a step again whose result is no JSON', async () => {
    const response: Record<string, unknown> = { status: 250 }
    response.request = { response }
    let sent = 0
    const results: unknown[] = []
    begin(async (_, { once, attempt }) => {
      const result = await once('mail', () => {
        sent += 1
        return response
      })
      results.push(result)
      if (attempt === 1) throw new Error('what came after failed')
    })
    await bench.calendly({ event: 'invitee.created' })
    await advance(1_000)
    expect(sent).to.equal(1)
    expect(results).to.deep.equal([response, null])
    expect(bench.lines.find(line => line.step === 'mail')).to.include({ level: 'warn' })
  })

  it('keeps a process’s listeners few, however much one booking is told', async () => {
    const warnings: string[] = []
    const listen = (warning: Error) => void warnings.push(warning.name)
    process.on('warning', listen)
    begin(() => {})
    for (let number = 0; number < 30; number += 1)
      await bench.deliver(
        calendlyDelivery({
          key: signingKey,
          event: number === 0 ? 'invitee.created' : 'invitee_no_show.created',
          noShow: `NS${number}`,
          at: new Date(Date.now() - 60_000 + number),
        }),
      )
    await bench.inbox.drain()
    await sleep(10)
    process.off('warning', listen)
    expect(warnings).to.deep.equal([])
    expect((await bench.inbox.events({ status: 'done' })).rows.length).to.be.above(20)
  })
})

describe('the story that gave rise to this project', () => {
  it('a slow calendar, a mail that fails at first, a provider that retries: one entry, one mail, one slot', async () => {
    const entries: string[] = []
    const mails: string[] = []
    let mailAttempts = 0
    const bench = workbench({
      dispatch: true,
      pollMs: 20,
      on: {
        'booking.created': async ({ booking }, { once }) => {
          await once('calendar', async () => {
            await sleep(300)
            entries.push(booking.id)
          })
          await once('mail', () => {
            mailAttempts += 1
            if (mailAttempts === 1) throw new Error('the mail server is busy')
            mails.push(booking.attendee!.email!)
          })
        },
        'booking.rescheduled': null,
        'booking.conflict': null,
      },
    })
    const delivery = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
    for (let time = 0; time < 4; time += 1) {
      expect((await bench.deliver(delivery)).status).to.equal(200)
      await sleep(100)
    }
    await until(async () => (await bench.inbox.events({ status: 'done' })).rows.length === 1)
    await bench.deliver(delivery)
    await sleep(100)
    expect(entries).to.have.length(1)
    expect(mails).to.deep.equal(['ann@example.com'])
    expect(mailAttempts).to.equal(2)
    const { events, thread } = (await bench.inbox.explain(entries[0]!))!
    expect(events.map(({ deliveries, tells }) => [deliveries, tells[0]!.attempts])).to.deep.equal([[5, 2]])
    expect(thread[0]!.holds).to.have.length(1)
    expect((await bench.inbox.bookings()).rows).to.have.length(1)
    await bench.close()
  })
})
