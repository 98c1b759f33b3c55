import type { Announcement, Decision, Fact } from '@booking-webhooks/core'
import { type Engine, type EngineOptions, engine } from './engine.js'

/**
 * A ledger that is told of one fact after another, and says in words what becomes of each. Facts stand in their order of
 * arrival; `at` is the provider's time, and where it is not given they truly happened as they arrived. A line is an event with
 * its outcome and what subscribers are told; `!` marks an event with an id of its own, `for` what it is told in place of.
 */
export interface Story {
  /** Settles facts in this order of arrival. One line for each, and one for each that waited and got its slot. */
  tell(...facts: Fact[]): string[]
  /** Looks again at everything that waits. */
  lookAgain(): string[]
  engine: Engine
}

export function story(options: EngineOptions = {}): Story {
  const ledger = engine(options)
  const finish = (): string[] => {
    const lines: string[] = []
    for (let [event] = ledger.woken; event; [event] = ledger.woken) {
      const decision = ledger.look(event)
      if (decision) lines.push(line(`then ${event}`, decision))
    }
    return lines
  }
  return {
    engine: ledger,
    tell: (...facts) =>
      facts.flatMap(fact => {
        const decision = ledger.settle(fact)
        return [decision ? line(fact.key, decision) : `${fact.key}: counted`, ...finish()]
      }),
    lookAgain() {
      for (const event of ledger.waiting.keys()) ledger.woken.add(event)
      return finish()
    },
  }
}

/** What becomes of facts in this order of arrival. */
export function history(...facts: Fact[]): string[] {
  return story().tell(...facts)
}

function line(what: string, { outcome, announcements }: Decision): string {
  return [`${what}: ${outcome}`, ...announcements.map(words)].join('; ')
}

function words({ suffix, type, booking, previous, conflict }: Announcement): string {
  const instead = previous ? ` for ${previous.bookingId}` : ''
  const rivals = conflict ? ` against ${conflict.with.join(' and ')}` : ''
  return `${suffix === '' ? '' : '!'}${type} ${booking.id}${instead}${rivals}`
}
