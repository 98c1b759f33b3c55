import { forward } from '@booking-webhooks/forward'
import { expect } from 'chai'
import { type WorkbenchOptions, workbench } from '../support/workbench.js'

/** That an inbox with these options is refused at creation, in a message that holds this. */
function refuses(options: WorkbenchOptions, message: string | RegExp): void {
  expect(() => workbench(options))
    .to.throw(message)
    .with.property('code', 'INVALID_OPTION')
}

const tell = () => {}
const secret = `whsec_${Buffer.alloc(24).toString('base64')}`

describe('options that can never work', () => {
  for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31, Number.POSITIVE_INFINITY])
    it(`are refused at creation: timeoutMs ${timeoutMs}, which no timer holds`, () => {
      refuses({ timeoutMs }, /^timeoutMs must be a number of milliseconds/)
      refuses({ subscribers: { crm: { takes: ['*'], tell, timeoutMs } } }, "The subscriber 'crm': timeoutMs")
    })

  for (const fields of [
    { baseMs: 0 },
    { baseMs: -1 },
    { baseMs: Number.NaN },
    { baseMs: 10, capMs: 9 },
    { capMs: -1 },
    { capMs: Number.POSITIVE_INFINITY },
  ])
    it(`are refused at creation: a back-off of ${Object.entries(fields).join(' and ')}`, () => {
      refuses({ fetchBackoff: fields }, /^fetchBackoff needs 0 < baseMs <= capMs/)
      refuses({ backoff: fields }, /^backoff needs/)
      refuses({ subscribers: { crm: { takes: ['*'], tell, backoff: fields } } }, "'crm': backoff needs")
    })

  it('are refused at creation: attempts that are none, also where every subscriber has its own', () => {
    for (const attempts of [0, Number.NaN])
      refuses({ attempts, subscribers: { crm: { takes: ['*'], tell, attempts: 1 } } }, /^attempts must/)
  })

  for (const takes of [
    ['booking.create'],
    ['booking.*'],
    ['created'],
    ['provider.'],
    [null],
    'booking.created',
    null,
  ])
    it(`are refused at creation: takes of ${JSON.stringify(takes)}`, () => {
      refuses({ subscribers: { crm: { takes: takes as string[], tell } } }, /^The subscriber 'crm': takes /)
    })

  for (const [title, subscriber] of [
    ['a list', (...takes: string[]) => ({ takes, tell })],
    ['forward()', (...takes: string[]) => forward({ url: 'https://example.com', secret, takes })],
  ] as const)
    it(`are refused at creation: ${title} that would leave a calendar wrong in silence`, async () => {
      const crm = (...takes: string[]) => ({ crm: subscriber(...takes) })
      const wrong = "The subscriber 'crm' takes booking.created but not"
      refuses({ subscribers: crm('booking.created') }, `${wrong} booking.rescheduled`)
      refuses({ subscribers: crm('booking.created', 'booking.rescheduled') }, `${wrong} booking.conflict`)
      for (const options of [
        { subscribers: crm('booking.created', 'booking.rescheduled'), slots: false },
        { subscribers: crm('booking.created', 'booking.rescheduled', 'booking.conflict') },
        { subscribers: crm('booking.canceled', 'provider.*', 'provider.meeting_poll.created') },
        { subscribers: crm('*') },
      ])
        await workbench(options).close()
    })

  it('are refused at creation: a lease that is lost to any pause', () => {
    refuses({ leaseMs: 999 }, 'leaseMs must be a number of milliseconds from 1000 to 2147483647.')
  })

  it('are not those that say nothing, which mean the default', async () => {
    const nothing = { baseMs: undefined, capMs: undefined } as object
    const bench = workbench({
      fetchBackoff: nothing,
      timeoutMs: 2 ** 31 - 1,
      subscribers: { crm: { takes: ['*'], tell, backoff: nothing } },
    })
    await bench.close()
  })
})
