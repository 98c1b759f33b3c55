import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { inspect } from 'node:util'
import type { Interpreted, InterpretedFact, StoredReading, Target } from '@booking-webhooks/core'
import type { Bench } from '../adapter-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { isId } from './is-id.js'
import { problemOfJson } from './json.js'

/** What a stored reading means. */
export function eventsContract({ describe, it }: TestFunctions, bench: Bench): void {
  const { adapter, samples, stored, hash } = bench
  const interpret = (reading: StoredReading, snapshot: unknown = null) =>
    adapter.interpret(reading, snapshot, null, { hash, connectedUs: 0 })

  describe('events', () => {
    for (const { title, body, snapshot = null } of samples)
      it(`come of: ${title}`, async () => {
        for (const reading of stored(body)) {
          const events = interpret(reading, snapshot)
          ok(events.length > 0)
          equal(events[0]?.key, reading.dedupeKey)
          equal(new Set(events.map(({ key }) => key)).size, events.length)
          for (const event of events) checkEvent(event)
        }
      })

    it('are the same every time, and leave what they are made of alone', async () => {
      for (const { body, snapshot = null } of samples)
        for (const reading of stored(body)) {
          const kept = JSON.stringify([Array.from(reading.body), snapshot])
          const frozen = deepFreeze(structuredClone(snapshot))
          deepEqual(interpret(reading, frozen), interpret(reading, snapshot))
          equal(JSON.stringify([Array.from(reading.body), snapshot]), kept)
        }
    })

    it('come of a body alone too, before or instead of any fetch', async () => {
      for (const { body } of samples)
        for (const reading of stored(body)) {
          adapter.needsFetch?.(reading)
          ok(interpret(reading).length > 0)
        }
    })

    it('tell of the booking that the reading names', async () => {
      for (const { body, snapshot = null } of samples)
        for (const reading of adapterReadings(bench, body)) {
          const [event] = interpret(stored(body)[reading.index] as StoredReading, snapshot)
          if (!event || !('fact' in event) || reading.bookingId === null) continue
          const named = [event.fact.target, event.fact.previous].flatMap(namesOf)
          ok(named.includes(reading.bookingId), `${inspect(named)} but not ${reading.bookingId}`)
        }
    })

    it('ask for second looks that can be answered without the API', async () => {
      for (const { body, snapshot = null } of samples)
        for (const reading of stored(body))
          for (const { look } of interpret(reading, snapshot) as Partial<InterpretedFact>[]) {
            if (!look) continue
            ok(look.key.length > 0 && look.lane.length > 0 && look.afterMs >= 0)
            ok(Object.values(look.subject).every(value => typeof value === 'string'))
            const body = Buffer.from(JSON.stringify(look.subject))
            const due = {
              ...reading,
              dedupeKey: look.key,
              isLook: true,
              providerType: 'look',
              index: 0,
              body,
            }
            adapter.needsFetch?.(due)
            ok(interpret(due).length > 0)
          }
    })
  })
}

function checkEvent(event: Interpreted): void {
  ok(!('unreadable' in event), 'a sample is unreadable')
  equal(problemOfJson(event), null)
  if ('type' in event) ok(event.type.startsWith('provider.'))
  if ('fact' in event) checkFact(event.fact)
}

function checkFact(fact: InterpretedFact['fact']): void {
  for (const id of [...namesOf(fact.target), ...namesOf(fact.previous), ...(fact.resources ?? [])])
    ok(isId(id), `no id: ${inspect(id)}`)
  ok(fact.meetingId === null || isId(fact.meetingId))
  for (const micros of [fact.occurredUs, fact.startsUs, fact.endsUs])
    ok(micros === null || Number.isSafeInteger(micros))
  equal(new Set(fact.resources).size, fact.resources?.length ?? 0)
  if (fact.previous) notEqual(inspect(fact.previous), inspect(fact.target), 'a booking replaces itself')
  if (fact.kind === 'half') ok(fact.previous && fact.startsUs === null, 'a half knows the old booking alone')
  if (fact.kind === 'canceled' || fact.kind === 'rejected') ok(fact.cancellation)
  ok(!/(?<!\\)""/.test(JSON.stringify(fact)), 'an absent value is "" and not null')
}

function namesOf(target: Target | null): string[] {
  if (target === null) return []
  if (target.kind === 'booking') return [target.id]
  const ids = target.kind === 'person' ? [target.named, target.newId] : []
  return [target.meetingId, ...ids].filter(id => id !== null)
}

function adapterReadings({ adapter, request, hash }: Bench, body: Uint8Array) {
  const read = adapter.read(request(body), { hash })
  return 'readings' in read ? read.readings.map((reading, index) => ({ ...reading, index })) : []
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null)
    for (const item of Object.values(Object.freeze(value))) deepFreeze(item)
  return value
}
