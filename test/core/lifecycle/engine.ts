import {
  type Announcement,
  type Decision,
  decide,
  type Fact,
  firstInLine,
  type HeldSlot,
  type Known,
  promote,
  type Slot,
  type StoredBooking,
  slotsConcerned,
  subjectsOf,
  type Waiting,
} from '@booking-webhooks/core'
import { type TellLanes, tellLanes } from './tell-lanes.js'

/** An event for the one subscriber there is. */
export interface Told {
  /** Key and suffix: what its id derives from. */
  id: string
  fact: Fact
  announcement: Announcement
  /** Which in the order of settling. */
  number: number
}

/** A ledger, a table of bookings, slots and lanes, in memory, driven by nothing but the pure functions under test. */
export interface Engine {
  settle(fact: Fact): Decision | null
  /** Events to be looked at again because of their slots. */
  woken: Set<string>
  /** Looks at one of them. */
  look(eventId: string): Decision | null
  facts: Map<string, Fact>
  bookings: Map<string, StoredBooking>
  slots: Map<string, HeldSlot>
  waiting: Map<string, Waiting>
  decisions: Map<string, Decision>
  told: Told[]
  lanes: TellLanes<Told>
}

export interface EngineOptions {
  nowUs?: () => number
  slots?: boolean
  /** Called with each event as it is settled, before its rows are. */
  watch?: (told: Told, engine: Engine) => void
}

const provider = 'example'
const account = 'default'

export function engine({ nowUs = () => 0, slots: areGuarded = true, watch }: EngineOptions = {}): Engine {
  const facts: Engine['facts'] = new Map()
  const bookings: Engine['bookings'] = new Map()
  const slots: Engine['slots'] = new Map()
  const waiting: Engine['waiting'] = new Map()
  const bySubject = new Map<string, Fact[]>()

  const self: Engine = {
    facts,
    bookings,
    slots,
    waiting,
    woken: new Set(),
    decisions: new Map(),
    told: [],
    lanes: tellLanes(),
    settle(fact) {
      if (facts.has(fact.key)) return null
      const known = freeze(knownFor(fact, []))
      const decision = decide(known, freeze(fact), { slots: areGuarded })
      facts.set(fact.key, fact)
      for (const subject of subjectsOf(fact))
        bySubject.set(subject, [...(bySubject.get(subject) ?? []), fact])
      write(fact, decision)
      if (decision.wait) waiting.set(fact.key, { eventId: fact.key, fact, ...decision.wait })
      wake(decision)
      return decision
    },
    look(eventId) {
      self.woken.delete(eventId)
      const event = waiting.get(eventId)
      if (!event) return null
      const others = [...waiting.values()]
        .filter(other => other !== event && overlaps(other.slots, event.slots))
        .map(other => ({ ...other, provider, account }))
      const known = freeze(
        knownFor(
          event.fact,
          others.flatMap(other => other.slots),
        ),
      )
      const decision = promote(known, event, others)
      if (decision === null) {
        // Whoever lets an older one go first looks again: that one may not be able to.
        const first = firstInLine(known, event, others)
        if (first) self.woken.add(first.eventId).add(eventId)
        return null
      }
      waiting.delete(eventId)
      write(event.fact, decision)
      wake(decision)
      return decision
    },
  }

  function knownFor(fact: Fact, more: Slot[]): Known {
    const subjects = closure(subjectsOf(fact))
    const thread = {
      facts: [...new Set([...subjects].flatMap(subject => bySubject.get(subject) ?? []))],
      bookings: [...bookings.values()].filter(({ id }) => subjects.has(`b:${id}`)),
      waiting: [...waiting.values()].filter(event => subjectsOf(event.fact).some(one => subjects.has(one))),
    }
    const concerned = [...slotsConcerned(thread, fact), ...more].map(slotName)
    const meetings = new Set([fact, ...thread.facts, ...thread.bookings].map(one => one.meetingId))
    return {
      provider,
      account,
      ...thread,
      slots: [...slots].flatMap(([name, slot]) => (concerned.includes(name) ? [slot] : [])),
      neighbours: [...bookings.values()].filter(
        row =>
          !thread.bookings.includes(row) &&
          row.meetingId !== null &&
          meetings.has(row.meetingId) &&
          (row.status === 'confirmed' || row.status === 'requested'),
      ),
      nowUs: nowUs(),
    }
  }

  function closure(from: string[]): Set<string> {
    const found = new Set(from)
    for (const subject of found)
      for (const fact of bySubject.get(subject) ?? []) for (const other of subjectsOf(fact)) found.add(other)
    return found
  }

  function write(fact: Fact, decision: Decision): void {
    self.decisions.set(fact.key, decision)
    for (const slot of decision.free)
      if (!slots.delete(slotName(slot))) throw new Error(`${slotName(slot)} was freed and is not held`)
    for (const slot of decision.take) {
      if (slots.has(slotName(slot))) throw new Error(`one_booking_per_slot: ${slotName(slot)} is held`)
      slots.set(slotName(slot), slot)
    }
    for (const { eventId } of decision.noLongerWaiting)
      if (!waiting.delete(eventId)) throw new Error(`${eventId} does not wait`)
    for (const row of decision.bookings) bookings.set(row.id, freeze(row))
    for (const announcement of decision.announcements) {
      const told = { id: fact.key + announcement.suffix, fact, announcement, number: self.told.length }
      watch?.(told, self)
      self.told.push(told)
      self.lanes.add(announcement.booking.threadId, told)
    }
    for (const { older, younger } of decision.joins) self.lanes.join(older, younger)
  }

  function wake(decision: Decision): void {
    for (const event of waiting.values())
      if (overlaps(event.slots, decision.wake)) self.woken.add(event.eventId)
  }

  return self
}

export function slotName({ resource, startsUs }: Slot): string {
  return `${resource}@${startsUs}`
}

function overlaps(a: readonly Slot[], b: readonly Slot[]): boolean {
  return a.some(slot => b.some(other => slotName(other) === slotName(slot)))
}

/** What is handed to a pure function cannot be changed by it. */
function freeze<Value>(value: Value): Value {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}
