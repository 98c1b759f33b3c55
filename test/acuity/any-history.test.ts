import { expect } from 'chai'
import fc from 'fast-check'
import { type Studio, studio } from './studio.js'

interface State {
  start: number
  calendar: number
  notes: string
  canceled: boolean
  noShow: boolean
}

type Step = { change: Partial<State> } | { poke: string } | { settle: true }

const change: fc.Arbitrary<Step> = fc
  .oneof(
    fc.record({ start: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ calendar: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ notes: fc.constantFrom('', 'a', 'b') }),
    fc.constantFrom({ canceled: true }, { canceled: true, noShow: true }),
    fc.record({ noShow: fc.boolean() }),
  )
  .map(some => ({ change: some }))

const poke: fc.Arbitrary<Step> = fc
  .constantFrom('scheduled', 'rescheduled', 'changed', 'appointment.changed')
  .map(action => ({ poke: action }))

const history = fc.array(
  fc.oneof(
    { arbitrary: change, weight: 3 },
    { arbitrary: poke, weight: 3 },
    { arbitrary: fc.constant<Step>({ settle: true }), weight: 2 },
  ),
  { maxLength: 16 },
)

/** What was to be told between two states that were seen, by the table of the documents. */
function expected(before: State | null, after: State): string[] {
  const ends = after.noShow ? ['booking.canceled', 'booking.no_show'] : ['booking.canceled']
  if (!before) return after.canceled ? ends : ['booking.created']
  if (after.canceled && !before.canceled) return ends
  if (after.start !== before.start || after.calendar !== before.calendar) return ['booking.rescheduled']
  if (after.noShow && !before.noShow) return ['booking.no_show']
  return after.notes !== before.notes || after.noShow !== before.noShow ? ['booking.updated'] : []
}

/** Acuity takes no cancel back, moves nothing that is canceled, and knows a no-show only of what is. */
function changed(state: State, { start, calendar, ...rest }: Partial<State>): State {
  const next = {
    ...state,
    ...rest,
    ...(state.canceled ? {} : { start: start ?? state.start, calendar: calendar ?? state.calendar }),
  }
  return { ...next, noShow: next.canceled && next.noShow }
}

describe('any history of an appointment, with any pokes', () => {
  let salon: Studio
  let number = 600_000_000
  before(async () => {
    salon = await studio()
  })
  after(() => salon.end())

  it('ends as the API last said, with one event for each change that was seen, and no poke lost', async function () {
    this.timeout(120_000)
    await fc.assert(
      fc.asyncProperty(history, async steps => {
        number += 1
        const id = number
        let state: State = { start: 0, calendar: 0, notes: '', canceled: false, noShow: false }
        let seen: State | null = null
        let waiting = 0
        let pokes = 0
        let pairs = 0
        const told: string[] = []
        const put = () => ({
          id,
          datetime: `2027-03-1${state.start}T10:15:00-0800`,
          calendarID: id * 2 + state.calendar,
          notes: state.notes,
          canceled: state.canceled,
          noShow: state.noShow,
        })
        const deliver = async (action: string) => {
          await salon.poke(action, put())
          waiting += 1
          pokes += 1
        }
        const settle = async () => {
          salon.fake.put(put())
          await salon.inbox.drain()
          if (waiting > 0) {
            const news = expected(seen, state)
            if (news.length === 2) pairs += 1
            told.push(...news)
            seen = state
          }
          waiting = 0
        }
        for (const step of [...steps, { poke: 'changed' }, { settle: true }] as Step[]) {
          if ('change' in step) state = changed(state, step.change)
          else if ('poke' in step) await deliver(step.poke)
          else await settle()
        }

        const events = salon.told.map(({ event }) => event).filter(event => event.booking?.id === String(id))
        expect(events.map(({ type }) => type)).to.deep.equal(told)
        expect(new Set(events.map(event => event.id)).size).to.equal(events.length)
        const times = events.map(event => event.occurredAt)
        expect(times).to.deep.equal([...times].sort())
        const booking = await salon.booking(id)
        expect(booking).to.include({
          status: state.canceled ? 'canceled' : 'confirmed',
          noShow: state.noShow,
        })
        if (!state.canceled) {
          expect(booking?.startsAt).to.equal(`2027-03-1${state.start}T18:15:00.000000Z`)
          expect(booking?.resources).to.deep.equal([`acuity/default/${id * 2 + state.calendar}`])
        }
        expect(salon.slots().filter(slot => slot.endsWith(` ${id}`))).to.have.length(state.canceled ? 0 : 1)
        const { rows } = await salon.inbox.events({ booking: String(id) }, { limit: 100 })
        expect(rows, 'a row for each poke, and for each no-show beside a cancel').to.have.length(
          pokes + pairs,
        )
        for (const { status, outcome } of rows)
          expect([status, outcome].join()).to.match(/^done,(accepted|unchanged)$/)
      }),
      { numRuns: 25 },
    )
  })
})
