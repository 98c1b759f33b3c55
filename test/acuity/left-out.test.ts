import { sampleAppointment } from '@booking-webhooks/acuity/testing'
import { expect } from 'chai'
import { id, type Studio, studio } from './studio.js'

const moved = { datetime: '2027-03-17T10:15:00-0700' }
const dayMs = 86_400_000

/** Everything that the API may leave out, and the library can do without. */
const optional = [
  ...[
    'firstName',
    'lastName',
    'email',
    'phone',
    'duration',
    'calendarID',
    'calendar',
    'appointmentTypeID',
    'type',
  ],
  ...[
    'classID',
    'addonIDs',
    'price',
    'priceSold',
    'amountPaid',
    'paid',
    'certificate',
    'timezone',
    'location',
  ],
  ...[
    'notes',
    'canceled',
    'noShow',
    'canClientCancel',
    'canClientReschedule',
    'confirmationPage',
    'forms',
    'labels',
  ],
]
const leftOut = Object.fromEntries(optional.map(name => [name, undefined]))

describe('acuity: what an answer leaves out', () => {
  let salon: Studio
  beforeEach(async () => {
    salon = await studio()
  })
  afterEach(() => salon.end())
  const nothing = ['unchanged', 'unchanged', 'unchanged']

  it('is not known of a new appointment, and costs no more than that', async () => {
    await salon.settle('scheduled', leftOut)
    expect(salon.heard()).to.deep.equal(['booking.created 2027-03-10T18:15'])
    const { attendee, answers, hosts, location, title } = salon.told[0]!.event.booking!
    expect({ attendee, answers, hosts, location, title }).to.deep.equal({
      attendee: null,
      answers: [],
      hosts: [],
      location: null,
      title: null,
    })
    await salon.settle('changed')
    expect(await salon.outcomes()).to.deep.equal(['accepted', 'unchanged'])
  })

  it('is no change, one by one or all at once', async () => {
    await salon.settle('scheduled')
    const whole = { ...sampleAppointment({ id }) }
    for (const name of optional) await salon.settle('changed', { ...whole, [name]: undefined })
    await salon.settle('changed', { ...whole, ...leftOut })
    await salon.settle('changed', { ...whole, forms: null })
    await salon.settle('changed', whole)
    expect(await salon.outcomes()).to.deep.equal(['accepted', ...optional.map(() => 'unchanged'), ...nothing])
  })

  it('stays as it was known where something else changed', async () => {
    await salon.settle('scheduled')
    const { booking: before } = salon.told[0]!.event
    await salon.settle('changed', { ...leftOut, ...moved })
    expect(salon.heard().at(-1)).to.equal('booking.rescheduled 2027-03-17T17:15')
    const { booking, previous } = salon.told.at(-1)!.event
    expect({ ...booking, startsAt: null, endsAt: null }).to.deep.equal({
      ...before,
      startsAt: null,
      endsAt: null,
    })
    expect(booking!.endsAt).to.equal('2027-03-17T18:15:00.000000Z')
    expect(previous?.hosts).to.deep.equal(before!.hosts)
    expect(salon.slots()).to.deep.equal([`40001 2027-03-17T17:15 ${id}`])
  })

  it('stays as it was known through several such answers, in a class as well', async () => {
    await salon.settle('scheduled', { classID: 77001, paid: 'yes' })
    const { booking: before } = salon.told[0]!.event
    await salon.settle('changed', { ...leftOut, ...moved })
    await salon.settle('changed', {
      datetime: '2027-03-18T10:15:00-0700',
      email: 'bob@example.com',
      forms: null,
    })
    const { booking } = salon.told.at(-1)!.event
    expect(booking).to.deep.equal({
      ...before,
      attendee: { ...before!.attendee, email: 'bob@example.com' },
      meetingId: 'class:77001:40001@2027-03-18T17:15:00.000000Z',
      startsAt: '2027-03-18T17:15:00.000000Z',
      endsAt: '2027-03-18T18:15:00.000000Z',
    })
    expect(salon.slots()).to.deep.equal([`40001 2027-03-18T17:15 ${booking!.meetingId}`])
  })
})

describe('acuity: a booking whose last answer is gone', () => {
  let salon: Studio
  beforeEach(async () => {
    salon = await studio()
  })
  afterEach(() => salon.end())

  it('is told once more by the next poke, as nobody can tell what changed, and not by the one after', async () => {
    await salon.settle('scheduled')
    salon.clock.pass(60 * dayMs)
    await salon.inbox.sweep()
    expect((await salon.booking())?.attendee).to.equal(null)
    await salon.settle('changed')
    await salon.settle('changed')
    expect(salon.heard()).to.deep.equal([
      'booking.created 2027-03-10T18:15',
      'booking.updated 2027-03-10T18:15',
    ])
    expect(await salon.outcomes()).to.deep.equal(['accepted', 'accepted', 'unchanged'])
  })

  for (const [what, change, type, place] of [
    ['another calendar', { calendarID: 40002 }, 'rescheduled', `40002 2027-03-10T18:15 ${id}`],
    [
      'a class',
      { classID: 77001 },
      'updated',
      '40001 2027-03-10T18:15 class:77001:40001@2027-03-10T18:15:00.000000Z',
    ],
    ['another end', { duration: '90' }, 'updated', `40001 2027-03-10T18:15 ${id}`],
    ['a cancel', { canceled: true }, 'canceled', null],
  ] as const)
    it(`still shows ${what}, and guards its slot`, async () => {
      await salon.settle('scheduled')
      await salon.inbox.erase({ booking: String(id) })
      await salon.settle('changed', change)
      expect(salon.heard().at(-1)).to.equal(`booking.${type} 2027-03-10T18:15`)
      expect(salon.slots()).to.deep.equal(place === null ? [] : [place])
    })
})
