import { expect } from 'chai'
import fc from 'fast-check'
import { appointment, booking, type Changes, fact, interpreted, kinds } from './interpreted.js'

const moved = { datetime: '2027-03-17T10:15:00-0700', date: 'March 17, 2027' }
const canceled = { canceled: true, canClientCancel: false, canClientReschedule: false }
const missed = { ...canceled, noShow: true }

describe('compare: what an answer says beside the one before', () => {
  const table: [title: string, stored: Changes | null, fetched: Changes, events: string[]][] = [
    ['a first sight is a creation', null, {}, ['created']],
    ['a first sight of a canceled one is a cancel only', null, canceled, ['canceled']],
    ['a first sight of a missed one is both', null, missed, ['canceled', 'no_show']],
    ['the same again is nothing', {}, {}, ['unchanged']],
    ['another start is a move', {}, moved, ['moved']],
    ['another calendar is a move', {}, { calendarID: 40002, calendar: 'Sam Ortiz' }, ['moved']],
    ['coming into a class is a move', {}, { classID: 77001 }, ['moved']],
    ['a move is one event, whatever else differs', {}, { ...moved, email: 'bob@example.com' }, ['moved']],
    ['a cancel is a cancel', {}, canceled, ['canceled']],
    [
      'a cancel without a word on no-show is only that',
      {},
      { canceled: true, noShow: undefined },
      ['canceled'],
    ],
    ['moved and canceled before one look is a cancel', {}, { ...moved, ...canceled }, ['canceled']],
    ['a no-show is a cancel, then a no-show', {}, missed, ['canceled', 'no_show']],
    ['a no-show marked later is only that', canceled, missed, ['no_show']],
    ['missed twice is nothing', missed, missed, ['unchanged']],
    ['a no-show taken back is an update', missed, canceled, ['updated']],
    ['an edit of a canceled one is an update', canceled, { ...canceled, notes: 'late' }, ['updated']],
    ['canceled twice is nothing', canceled, canceled, ['unchanged']],
    ['a canceled one that lives again is a late creation, to be refused', canceled, {}, ['created']],
    ['a longer duration is an update', {}, { duration: '90' }, ['updated']],
    ['another type is an update', {}, { appointmentTypeID: 70003 }, ['updated']],
    ['another e-mail is an update', {}, { email: 'bob@example.com' }, ['updated']],
    ['an e-mail taken away is an update', {}, { email: '' }, ['updated']],
    ['paid is an update', {}, { paid: 'yes', amountPaid: '80.00' }, ['updated']],
    ['a label is an update', {}, { labels: [{ id: 3, name: 'VIP' }] }, ['updated']],
    ['another answer is an update', {}, { forms: form('no') }, ['updated']],
    ['a client who may no longer cancel is nothing', {}, { canClientCancel: false }, ['unchanged']],
    ['another link is nothing', {}, { confirmationPage: 'https://example.com/other' }, ['unchanged']],
    ['another clock format is nothing', {}, { time: '09:00', endTime: '10:00', date: '1.3.' }, ['unchanged']],
    ['a calendar with another name is nothing', {}, { calendar: 'G. Okafor' }, ['unchanged']],
    [
      'a label with another name is nothing',
      { labels: [{ id: 3, name: 'A' }] },
      { labels: [{ id: 3, name: 'B' }] },
      ['unchanged'],
    ],
    [
      'labels in another order are nothing',
      { labels: [{ id: 3 }, { id: 4 }] },
      { labels: [{ id: 4 }, { id: 3 }] },
      ['unchanged'],
    ],
    ['no labels is as good as none', { labels: [] }, { labels: null }, ['unchanged']],
    ['a row of a list, without forms, is nothing', {}, { forms: undefined }, ['unchanged']],
    ['a whole answer after such a row is nothing', { forms: undefined }, {}, ['unchanged']],
    ['a field that Acuity adds is nothing', {}, { color: 'blue' }, ['unchanged']],
    [
      'the same instant in another zone is nothing',
      {},
      { datetime: '2027-03-10T18:15:00+0000' },
      ['unchanged'],
    ],
    [
      'an hour later on the night when clocks go back is a move',
      { datetime: '2027-11-07T01:30:00-0700' },
      { datetime: '2027-11-07T01:30:00-0800' },
      ['moved'],
    ],
  ]
  for (const [title, known, fetched, events] of table)
    it(`${title}, whatever the action says`, () => {
      for (const action of ['changed', 'scheduled', 'rescheduled', 'canceled'])
        expect(kinds(appointment(fetched), known && booking(known), { action })).to.deep.equal(events)
    })

  it('tells an appointment older than the account’s connection as a move or an update, never as new', () => {
    const connected = Date.parse('2027-03-01T14:04:06Z') * 1000
    expect(kinds(appointment(), null, { action: 'scheduled', connected })).to.deep.equal(['updated'])
    expect(kinds(appointment(), null, { action: 'rescheduled', connected })).to.deep.equal(['moved'])
    expect(kinds(appointment(canceled), null, { action: 'canceled', connected })).to.deep.equal(['canceled'])
  })

  it('compares that in whole seconds, and takes one that does not say as new', () => {
    const connected = Date.parse('2027-03-01T14:04:05.999Z') * 1000
    expect(kinds(appointment(), null, { connected })).to.deep.equal(['created'])
    expect(
      kinds(appointment({ datetimeCreated: undefined }), null, { connected: connected + 1e12 }),
    ).to.deep.equal(['created'])
  })

  it('knows a booking by its row where the last answer is gone', () => {
    const erased = { snapshot: null }
    expect(kinds(appointment(canceled), booking({}, erased))).to.deep.equal(['canceled'])
    expect(kinds(appointment(moved), booking({}, erased))).to.deep.equal(['moved'])
    expect(kinds(appointment({}), booking({}, erased)), 'cannot tell').to.deep.equal(['updated'])
  })

  it('takes a row that no event ever touched as no knowledge', () => {
    const stub = booking(
      {},
      { snapshot: null, status: null, startsUs: null, lastOccurredUs: 0, told: 'none' },
    )
    expect(kinds(appointment(), stub)).to.deep.equal(['created'])
  })

  it('finds nothing new in any answer that it has just stored', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(appointment())), fc.jsonValue()), changes => {
        const answer = JSON.parse(JSON.stringify({ ...appointment(changes), id: 510200301 }))
        const known = booking(
          {},
          {
            snapshot: answer,
            status: answer.canceled ? 'canceled' : 'confirmed',
            noShow: answer.noShow === true,
          },
        )
        expect(kinds(answer, known).join()).to.be.oneOf(['unchanged', 'unreadable'])
      }),
    )
  })

  it('gives a second event a key of its own, derived from the poke’s', () => {
    expect(interpreted(appointment(missed), null).map(one => one.key)).to.deep.equal([
      'poke:1',
      'poke:1|no_show',
    ])
  })

  it('says nothing about a canceled one that lives again, so that what is stored stays', () => {
    const { kind, details, noShow, startsUs, occurredUs } = fact(appointment(), booking(missed))
    expect({ kind, details, noShow, startsUs, occurredUs }).to.deep.equal({
      kind: 'created',
      details: null,
      noShow: null,
      startsUs: null,
      occurredUs: null,
    })
  })

  it('marks the cancel of a no-show, so that who hears only of cancels can tell', () => {
    expect(fact(appointment(missed), booking()).noShow).to.equal(true)
  })
})

function form(value: string) {
  return [{ id: 300, name: 'Intake', values: [{ fieldID: 301, name: 'First visit?', value }] }]
}
