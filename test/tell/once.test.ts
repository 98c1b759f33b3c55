import { setTimeout as sleep } from 'node:timers/promises'
import type { BookingEvent, TellContext } from '@booking-webhooks/core'
import { expect } from 'chai'
import { type Workbench, workbench } from '../support/workbench.js'

describe('once', () => {
  let bench: Workbench
  let nowMs: number
  afterEach(() => bench.close())

  /** Tells one booking until it is done or dead; what ran, in the order in which it began. */
  async function run(tell: (event: BookingEvent, context: TellContext) => unknown): Promise<void> {
    nowMs = Date.now()
    bench = workbench({
      store: { now: () => nowMs * 1000 },
      attempts: 3,
      subscribers: { calendar: { takes: ['*'], tell } },
    })
    await bench.calendly({ event: 'invitee.created' })
    for (let time = 0; time < 3; time += 1) {
      nowMs += 1_000
      await bench.inbox.drain()
    }
  }

  const told = async () => (await bench.inbox.events()).rows[0]!.tells[0]!

  it('keeps each of several steps that run side by side, and repeats only the one that failed', async () => {
    const ran: string[] = []
    const results: unknown[] = []
    await run(async (_, { once, attempt }) => {
      const step = (name: string, ms: number) =>
        once(name, async () => {
          ran.push(`${name} ${attempt}`)
          await sleep(ms)
          if (name === 'mail' && attempt === 1) throw new Error('the mail server is busy')
          return { of: name }
        })
      const settled = await Promise.allSettled([step('calendar', 10), step('mail', 5), step('crm', 1)])
      if (settled.some(one => one.status === 'rejected')) throw new Error('not all of it')
      results.push(settled.map(one => (one as PromiseFulfilledResult<unknown>).value))
    })
    expect(ran).to.deep.equal(['calendar 1', 'mail 1', 'crm 1', 'mail 2'])
    expect(results).to.deep.equal([[{ of: 'calendar' }, { of: 'mail' }, { of: 'crm' }]])
    expect(await told()).to.include({ status: 'done', attempts: 2 })
  })

  it('refuses a name that was used in the same run, also side by side and where a result is kept', async () => {
    const ran: string[] = []
    const codes: string[] = []
    const refusal = (work: Promise<unknown>) => work.catch(error => void codes.push(error.code))
    await run(async (_, { once, attempt }) => {
      const step = () => once('calendar', () => ran.push(`attempt ${attempt}`))
      await Promise.all([step(), refusal(step())])
      await refusal(step())
      if (attempt === 1) throw new Error('once more')
    })
    expect(ran).to.deep.equal(['attempt 1'])
    expect(codes).to.deep.equal(Array(4).fill('STEP_NAME_REUSED'))
    await bench.close()

    await run(async (_, { once }) => {
      await once('calendar', () => 1)
      await once('calendar', () => 2)
    })
    expect(await told()).to.include({ status: 'dead', attempts: 3 })
    expect((await told()).lastError).to.match(/^once\('calendar'\) was called twice in one run/)
  })

  it('refuses a name that no database could keep, before the step runs', async () => {
    let runs = 0
    const codes: string[] = []
    await run(async (_, { once }) => {
      for (const name of ['', 'x'.repeat(256), 'a\u0000b', 'a\ud800', undefined as unknown as string])
        await once(name, () => {
          runs += 1
        }).catch(error => void codes.push(error.code))
      await once('ß'.repeat(100), () => {})
      await once('two\nlines 🗓', () => {})
    })
    expect([runs, codes]).to.deep.equal([0, Array(5).fill('INVALID_OPTION')])
    expect(await told()).to.include({ status: 'done' })
  })
})
