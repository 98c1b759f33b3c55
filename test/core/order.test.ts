import type { Fact } from '@booking-webhooks/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Run, runInOrder, runInterleaved } from './lifecycle/execute.js'
import { permutations, randomFrom, shuffled } from './lifecycle/random.js'
import {
  type Action,
  deeds,
  type History,
  type Manner,
  type Plan,
  simulateBookings,
} from './lifecycle/simulate-bookings.js'
import { type SeatAction, type SeatPlan, seatDeeds, simulateSeats } from './lifecycle/simulate-seats.js'
import { bookingsOf, problemsOf, slotsOf, type Truth } from './lifecycle/verify.js'

/** Histories per property. `LIFECYCLE_RUNS=100000 npx mocha …` for a long night. */
const numRuns = Number(process.env.LIFECYCLE_RUNS ?? 500)

describe('the order of arrival', () => {
  for (const manner of ['halves', 'links', 'in place'] as const)
    it(`does not matter where a reschedule is told as ${manner}`, function () {
      this.timeout(0)
      fc.assert(
        fc.property(planArbitrary(manner), fc.nat(), (plan, seed) => holds(simulateBookings(plan), seed)),
        { numRuns },
      )
    })

  it('does not matter where seats of meetings are told of by person', function () {
    this.timeout(0)
    fc.assert(
      fc.property(seatPlans, fc.nat(), (plan, seed) => holds(simulateSeats(plan), seed)),
      { numRuns },
    )
  })
})

const seatPlans: fc.Arbitrary<SeatPlan> = fc.record({
  actions: fc.array(
    fc.record<SeatAction>({
      does: fc.constantFrom(...seatDeeds),
      who: fc.nat(59),
      where: fc.nat(59),
      slot: fc.nat(59),
      gap: fc.nat(2),
      names: fc.constantFrom('seat', 'seat', 'nobody', 'meeting'),
    }),
    { minLength: 2, maxLength: 9 },
  ),
  hosts: fc.integer({ min: 1, max: 2 }),
  slots: fc.integer({ min: 2, max: 3 }),
  doubleBooks: fc.integer({ min: 0, max: 3 }).map(number => number === 0),
})

function planArbitrary(manner: Manner): fc.Arbitrary<Plan> {
  const action: fc.Arbitrary<Action> = fc.record({
    does: fc.constantFrom(...deeds),
    whom: fc.nat(59),
    slot: fc.nat(59),
    host: fc.nat(59),
    together: fc.integer({ min: 0, max: 4 }).map(number => number === 0),
    gap: fc.integer({ min: 0, max: 3 }),
    flag: fc.boolean(),
  })
  return fc.record({
    manner: fc.constant(manner),
    actions: fc.array(action, { minLength: 2, maxLength: 9 }),
    hosts: fc.integer({ min: 1, max: 2 }),
    slots: fc.integer({ min: 2, max: 3 }),
    doubleBooks: fc.integer({ min: 0, max: 3 }).map(number => number === 0),
    skew: fc.oneof(fc.constant(0), fc.constant(0), fc.nat(50)),
  })
}

function holds(history: History, seed: number): void {
  const random = randomFrom(seed)
  const truth = truthOf(history)
  const reference = runInOrder(history.facts)
  check(reference, history.facts, truth, reference)
  if (history.facts.length <= 4)
    for (const order of permutations(history.facts)) check(runInOrder(order), order, truth, reference)
  for (let round = 0; round < 6; round++) {
    const repeated = history.facts.filter(() => random(4) === 0)
    const order = shuffled([...history.facts, ...repeated], random)
    check(runInterleaved(order, random), order, truth, reference)
  }
}

function check(run: Run, order: readonly Fact[], truth: Truth, reference: Run): void {
  const problems = problemsOf(run, truth)
  if (bookingsOf(run.engine) !== bookingsOf(reference.engine))
    problems.push('the bookings depend on the order')
  if (truth.standing && slotsOf(run.engine) !== slotsOf(reference.engine))
    problems.push('the slots depend on the order')
  if (problems.length > 0) expect.fail(`${problems.join('\n')}\n${story(run, order)}`)
}

function truthOf({ bookings, isDoubleBooked }: History): Truth {
  const standing = bookings.filter(({ status }) => status === 'confirmed')
  return {
    statuses: new Map(bookings.map(({ id, status }) => [id, status])),
    standing: isDoubleBooked ? null : new Map(standing.map(({ id, startsUs }) => [id, startsUs])),
  }
}

function story({ engine, heard }: Run, order: readonly Fact[]): string {
  const settled = order.map(({ key, occurredUs, startsUs, resources, meetingId }) => {
    const decision = engine.decisions.get(key)
    return `  ${key} (at ${occurredUs}${startsUs ? ` for ${startsUs} ${resources} in ${meetingId}` : ''}) → ${decision?.outcome}`
  })
  const told = heard.map(
    ({ id, announcement: { type, booking, previous } }) =>
      `  ${id}: ${type} ${booking.id} ${booking.status}${previous ? ` previous ${previous.bookingId}` : ''}`,
  )
  return ['settled:', ...settled, 'told:', ...told].join('\n')
}
