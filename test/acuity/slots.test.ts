import { expect } from 'chai'
import { id, type Studio, type StudioOptions, studio } from './studio.js'

const start = '2027-03-10T18:15'
const canceled = { canceled: true }

describe('the slots of appointments', () => {
  let salon: Studio
  const open = async (options?: StudioOptions) => {
    salon = await studio(options)
  }
  afterEach(() => salon.end())

  it('go along to another calendar, whatever calendar the poke names', async () => {
    await open()
    await salon.settle('scheduled')
    expect(salon.slots()).to.deep.equal([`40001 ${start} ${id}`])
    await salon.settle('rescheduled', { calendarID: 40002, calendar: 'Sam Ortiz' })
    expect(salon.slots()).to.deep.equal([`40002 ${start} ${id}`])
    expect(salon.told[1].event.previous?.hosts).to.deep.equal([
      { id: '40001', name: 'Grace Okafor', email: null },
    ])
    expect(salon.told[1].event.booking?.hosts).to.deep.equal([
      { id: '40002', name: 'Sam Ortiz', email: null },
    ])
  })

  it('are freed where they are held, not where the answer says', async () => {
    await open()
    await salon.settle('scheduled')
    await salon.settle('changed', { ...canceled, datetime: '2027-03-17T10:15:00-0700', calendarID: 40002 })
    expect(salon.slots()).to.deep.equal([])
  })

  it('are shared by the attendees of a class, and free when the last one is gone', async () => {
    await open()
    const yoga = { classID: 77001, type: 'Group Yoga', datetime: '2027-03-11T18:00:00-0800', duration: '45' }
    const meeting = 'class:77001:40001@2027-03-12T02:00:00.000000Z'
    const held = [`40001 2027-03-12T02:00 ${meeting}`]
    await salon.settle('scheduled', { id: 510200401, ...yoga })
    await salon.settle('scheduled', { id: 510200402, ...yoga })
    expect(salon.told.map(({ event }) => event.type)).to.deep.equal(['booking.created', 'booking.created'])
    expect(salon.told.map(({ event }) => event.booking?.meetingId)).to.deep.equal([meeting, meeting])
    expect(salon.slots()).to.deep.equal(held)
    await salon.settle('canceled', { id: 510200401, ...canceled })
    expect(salon.slots()).to.deep.equal(held)
    await salon.settle('canceled', { id: 510200402, ...canceled })
    expect(salon.slots()).to.deep.equal([])
  })

  it('are one for two appointments: the second waits, and is told when the first is gone', async () => {
    await open()
    await salon.settle('scheduled')
    await salon.settle('scheduled', { id: id + 1 })
    expect(salon.told[1].event).to.deep.include({ type: 'booking.conflict' })
    expect(salon.told[1].event.conflict).to.deep.equal({ wanted: 'booking.created', with: [String(id)] })
    await salon.settle('changed', { id: id + 1 })
    expect((await salon.outcomes()).at(-1), 'the answer of one that waits is kept').to.equal('unchanged')
    await salon.settle('canceled', canceled)
    expect(salon.told.slice(2).map(({ event }) => [event.type, event.booking?.id])).to.deep.equal([
      ['booking.canceled', String(id)],
      ['booking.created', String(id + 1)],
    ])
    expect(salon.slots()).to.deep.equal([`40001 ${start} ${id + 1}`])
  })

  it('are none where several at once are wanted', async () => {
    await open({ slots: false })
    await salon.settle('scheduled')
    await salon.settle('scheduled', { id: id + 1 })
    expect(salon.told.map(({ event }) => event.type)).to.deep.equal(['booking.created', 'booking.created'])
    expect(salon.slots()).to.deep.equal([])
  })
})
