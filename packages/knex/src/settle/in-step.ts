import type { ClaimedLane, SettleTransaction } from '@booking-webhooks/core'
import type { Became } from '../database/gather.js'

/** What is to be settled under a lane's fence. */
export interface Work {
  lane: ClaimedLane
  work(transaction: SettleTransaction): Promise<unknown>
}

export type StepName = Exclude<keyof SettleTransaction, 'nowUs'>

/** One member's question at a step. */
export interface Asked<Name extends StepName> {
  by: Member
  args: Parameters<SettleTransaction[Name]>
  answer(answer: Awaited<ReturnType<SettleTransaction[Name]>>): void
  /** Leaves its member out of this transaction: it shares something with one that came before. */
  putOff(): void
}

/** A step of the transaction, done in one go for all who have come to it. Answers each, or puts it off. */
export type Steps = { [Name in StepName]: (asked: Asked<Name>[]) => Promise<void> }

/** One of those that are settled together. */
export interface Member {
  readonly lane: ClaimedLane
  /** Once it has written it cannot be left out of the transaction: all of it is rolled back instead. */
  hasWritten: boolean
}

/** The steps in the order in which their locks are taken, by everybody. */
const order: readonly StepName[] = [
  'event',
  'booking',
  'reread',
  'addEvent',
  'lockThread',
  'lockSlots',
  'neighbours',
  'waitersFor',
  'subscribers',
  'write',
  'wake',
]

const writing: ReadonlySet<StepName> = new Set<StepName>(['reread', 'addEvent', 'write'])

class PutOff extends Error {}

/** Thrown where one of several fails after it has written: the transaction is rolled back, and each is settled alone. */
export class Apart extends Error {}

interface Waiting {
  name: StepName
  one: Asked<StepName>
  fail(error: unknown): void
}

/**
 * Runs several works in one transaction, each as if it were alone. Once all of them wait for something, the earliest step that any of them
 * waits at is done for all who wait there, so that each query serves many and locks are still taken in one order.
 */
export async function inStep(works: Work[], steps: Steps, nowUs: number): Promise<Became<unknown>[]> {
  const waiting: Waiting[] = []
  const members = works.map(({ lane }) => ({ lane, hasWritten: false, asks: 0, isOver: false }))
  let whenQuiet = () => {}
  const look = () => {
    if (members.every(member => member.isOver || member.asks > 0)) whenQuiet()
  }

  const transactionOf = (member: (typeof members)[number]): SettleTransaction => {
    const at =
      (name: StepName) =>
      (...args: unknown[]) =>
        new Promise<never>((answer, refuse) => {
          const fail = (error: unknown) => {
            member.asks -= 1
            refuse(error)
          }
          const one = {
            by: member,
            args,
            answer(value: unknown) {
              member.asks -= 1
              answer(value as never)
            },
            putOff: () => fail(new PutOff()),
          }
          member.asks += 1
          waiting.push({ name, one: one as unknown as Asked<StepName>, fail })
          look()
        })
    return {
      nowUs,
      ...(Object.fromEntries(order.map(name => [name, at(name)])) as unknown as Omit<
        SettleTransaction,
        'nowUs'
      >),
    }
  }

  const ends = works.map(async ({ work }, index): Promise<Became<unknown>> => {
    const member = members[index] as (typeof members)[number]
    try {
      return { answer: await work(transactionOf(member)) }
    } catch (error) {
      return { error }
    } finally {
      member.isOver = true
      look()
    }
  })

  try {
    for (;;) {
      await new Promise<void>(resolve => {
        whenQuiet = resolve
        look()
      })
      const name = order.find(step => waiting.some(one => one.name === step))
      if (name === undefined) break
      const here = waiting.filter(one => one.name === name)
      const others = waiting.filter(one => one.name !== name)
      waiting.splice(0, waiting.length, ...others)
      if (writing.has(name)) for (const { one } of here) one.by.hasWritten = true
      try {
        await (steps[name] as (asked: Asked<StepName>[]) => Promise<void>)(here.map(({ one }) => one))
      } catch (error) {
        for (const one of here) one.fail(error)
        throw error
      }
    }
  } catch (error) {
    for (const one of waiting) one.fail(error)
    throw error
  }
  return ends.length === 1 ? [await endOfOne(ends[0] as Promise<Became<unknown>>)] : endsOf(ends, members)
}

/** Alone, a failure rolls its own transaction back and no other's. */
async function endOfOne(end: Promise<Became<unknown>>): Promise<Became<unknown>> {
  const became = await end
  if (became !== 'put off' && 'error' in became) throw became.error
  return became
}

async function endsOf(ends: Promise<Became<unknown>>[], members: Member[]): Promise<Became<unknown>[]> {
  const all = await Promise.all(ends)
  const failed = all.map(became => became !== 'put off' && 'error' in became)
  if (members.some((member, index) => member.hasWritten && failed[index])) throw new Apart()
  return all.map(became =>
    became !== 'put off' && 'error' in became && became.error instanceof PutOff ? 'put off' : became,
  )
}
