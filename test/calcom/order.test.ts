import type { Fact } from '@booking-webhooks/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Run, runInOrder, runInterleaved } from '../core/lifecycle/execute.js'
import { permutations, randomFrom, shuffled } from '../core/lifecycle/random.js'
import { bookingsOf, problemsOf, slotsOf } from '../core/lifecycle/verify.js'
import { factsOf } from './ledger.js'
import { type Deed, deeds, type History, simulate } from './simulate.js'

/** Histories. `CALCOM_RUNS=20000 npx mocha …` for a long night. */
const numRuns = Number(process.env.CALCOM_RUNS ?? 150)

const deed: fc.Arbitrary<Deed> = fc.record({
  does: fc.constantFrom(...deeds),
  whom: fc.nat(59),
  where: fc.nat(59),
  flag: fc.boolean(),
  isTwice: fc.integer({ min: 0, max: 4 }).map(number => number === 0),
})

describe('calcom: the order of arrival', () => {
  it('does not matter, with seats, moves, requests and second copies', function () {
    this.timeout(0)
    fc.assert(
      fc.property(fc.array(deed, { minLength: 2, maxLength: 9 }), fc.nat(), (plan, seed) =>
        holds(simulate(plan), seed),
      ),
      { numRuns },
    )
  })
})

function holds(history: History, seed: number): void {
  const random = randomFrom(seed)
  const facts = history.bodies.flatMap(factsOf)
  const reference = runInOrder(facts)
  check(reference, facts, history, reference)
  if (facts.length <= 4)
    for (const order of permutations(facts)) check(runInOrder(order), order, history, reference)
  for (let round = 0; round < 4; round++) {
    const repeated = facts.filter(() => random(4) === 0)
    const order = shuffled([...facts, ...repeated], random)
    check(runInterleaved(order, random), order, history, reference)
  }
}

function check(
  run: Run,
  order: readonly Fact[],
  { statuses, standing, meetings }: History,
  reference: Run,
): void {
  const problems = problemsOf(run, { statuses, standing }).filter(
    problem => !isOfStrangers(problem, meetings),
  )
  if (toTheSecond(run) !== toTheSecond(reference)) problems.push('the bookings depend on the order')
  if (standing && slotsOf(run.engine) !== slotsOf(reference.engine))
    problems.push('the slots depend on the order')
  if (problems.length > 0) expect.fail(`${problems.join('\n')}\n${story(run, order)}`)
}

/** What is told of people never heard of bears the meeting's uid: these are several, and no one booking's story. */
function isOfStrangers(problem: string, meetings: Set<string>): boolean {
  const [, id] = /\(booking\.\w+ (\S+)\): /.exec(problem) ?? []
  return id !== undefined && meetings.has(id)
}

/** Two webhooks' copies of one event differ by milliseconds, and the first to arrive is kept. */
function toTheSecond({ engine }: Run): string {
  return bookingsOf(engine).replace(/("lastOccurredUs":\d+)\d{6}/g, '$1')
}

function story({ engine, heard }: Run, order: readonly Fact[]): string {
  const settled = order.map(
    ({ key, kind, target, previous, startsUs }) =>
      `  ${key}: ${kind} ${JSON.stringify({ target, previous, startsUs })} → ${engine.decisions.get(key)?.outcome}`,
  )
  const told = heard.map(
    ({ id, announcement: { type, booking, previous } }) =>
      `  ${id}: ${type} ${booking.id} ${booking.status}${previous ? ` previous ${previous.bookingId}` : ''}`,
  )
  return ['settled:', ...settled, 'told:', ...told].join('\n')
}
