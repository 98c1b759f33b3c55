import { expect } from 'chai'
import { permutations } from '../core/lifecycle/random.js'
import { bookingsOf, slotsOf } from '../core/lifecycle/verify.js'
import { type Settled, settle } from './ledger.js'

/** Settles the bodies in all orders, expects the same bookings and slots of each, and returns the first. */
export function settleInAnyOrder(...bodies: (string | Uint8Array)[]): Settled {
  const first = settle(...bodies)
  for (const order of permutations(bodies)) {
    const { run } = settle(...order)
    expect(bookingsOf(run.engine)).to.equal(bookingsOf(first.run.engine))
    expect(slotsOf(run.engine)).to.equal(slotsOf(first.run.engine))
  }
  return first
}
