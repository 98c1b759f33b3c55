import { expect } from 'chai'
import type { Leave, Suspects } from '../../packages/core/dist/settle/suspects.js'

// Internal, so it is found beside what the package exports.
const file = new URL('./settle/suspects.js', import.meta.resolve('@booking-webhooks/core'))
const { suspects }: { suspects(): Suspects } = await import(file.href)

type Step = 'takes' | 'looks' | 'gets through' | 'refuses' | 'ends'

describe('accounts that are suspect', () => {
  it('are asked by one at a time, and never without one who may, in every order', () => {
    // Before, three ask at once, and the first is refused and ends.
    const steps: Step[][] = [
      ['gets through', 'ends'],
      ['refuses', 'ends'],
      ['takes', 'looks', 'refuses', 'ends'],
      ['takes', 'looks', 'ends'],
    ]
    for (const order of orders(steps.map(({ length }) => length))) {
      const accounts = suspects()
      const leaves: (Leave | null)[] = [accounts.take('a'), accounts.take('a')]
      const first = accounts.take('a')
      first?.refused()
      first?.end()
      let isSuspect = true
      const asking = new Set<Leave>()
      const at = steps.map(() => 0)
      for (const who of order) {
        const step = steps[who]?.[at[who]++]
        if (step === 'takes') leaves[who] = accounts.take('a')
        const leave = leaves[who]
        if (!leave) continue
        if (step === 'looks' && leave.isOver()) {
          leave.end()
          leaves[who] = null
        } else if (step === 'looks' && isSuspect) asking.add(leave)
        else if (step === 'gets through') {
          leave.gotThrough()
          isSuspect = false
          asking.clear()
        } else if (step === 'refuses') {
          leave.refused()
          if (!isSuspect) asking.add(leave)
          isSuspect = true
        } else if (step === 'ends') {
          leave.end()
          asking.delete(leave)
        }
        if (asking.size > 1) expect.fail(`Two ask at once in the order ${order}.`)
      }
      if (!accounts.take('a')) expect.fail(`Nobody may ask any more after the order ${order}.`)
    }
  })
})

/** All orders in which each goes through so many steps. */
function* orders(left: number[]): Generator<number[]> {
  if (left.every(count => count === 0)) yield []
  for (const [index, count] of left.entries()) {
    if (count === 0) continue
    for (const rest of orders(left.map((one, at) => (at === index ? one - 1 : one)))) yield [index, ...rest]
  }
}
