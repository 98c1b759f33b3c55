import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { atMost, isBookingWebhooksError, unlessSilent } from '@booking-webhooks/core'

/** What became of one of those that were done together: its answer, an error of its own, or that its turn is the next time. */
export type Became<Answer> = { answer: Answer } | { error: unknown } | 'put off'

interface Waiting<Ask, Answer> {
  ask: Ask
  answer(answer: Answer): void
  fail(error: unknown): void
}

/** How long those after it wait for one that may be on a dead connection, in milliseconds: as long as a lease, unless one sets another. */
const silentMs = 30_000

/** One that is stuck (on a row that somebody holds) keeps no other waiting; each has a connection of the pool. */
const aloneAtOnce = 4

/**
 * Does together, at most so many at once, what was asked for while the ones before were done: what a commit, a flush or a query costs is then
 * shared. Where all of it fails, each is done alone, so that one hurts no other; but those of one chain in the order in which they were asked for,
 * and none that was asked for before it was known that an earlier one failed. What has no answer in `patienceMs` fails.
 */
export function gather<Ask, Answer>(
  doTogether: (asks: Ask[]) => Promise<Became<Answer>[]>,
  most: number,
  chainOf: (ask: Ask) => unknown = ask => ask,
  patienceMs = silentMs,
): (ask: Ask) => Promise<Answer> {
  const waiting: Waiting<Ask, Answer>[] = []
  let isRunning = false

  const fail = (one: Waiting<Ask, Answer>, error: unknown): void => {
    one.fail(error)
    const chain = chainOf(one.ask)
    const behind = waiting.filter(other => chainOf(other.ask) === chain)
    for (const other of behind) waiting.splice(waiting.indexOf(other), 1)
    for (const other of behind) other.fail(error)
  }

  /** Answers all, or throws and has answered none. */
  const doAll = async (batch: Waiting<Ask, Answer>[]): Promise<void> => {
    const became = await unlessSilent(patienceMs, doTogether(batch.map(one => one.ask)))
    const putOff = batch.filter((one, index) => {
      const what = became[index] as Became<Answer>
      if (what === 'put off') return true
      if ('error' in what) fail(one, what.error)
      else one.answer(what.answer)
      return false
    })
    waiting.unshift(...putOff)
  }

  const doInTurn = async (chain: Waiting<Ask, Answer>[]): Promise<void> => {
    for (let one = chain.shift(); one !== undefined; one = chain.shift())
      try {
        await doAll([one])
      } catch (error) {
        for (const each of [one, ...chain.splice(0)]) fail(each, error)
      }
  }

  const doApart = async (batch: Waiting<Ask, Answer>[]): Promise<void> => {
    const fewAtOnce = atMost(aloneAtOnce)
    const chains = chained(batch, one => chainOf(one.ask))
    await Promise.all(chains.map(chain => fewAtOnce(() => doInTurn(chain))))
  }

  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      // What is asked for in the same turn of the event loop belongs together, also by those who have just been answered.
      await turnOfTheLoop()
      const batch = waiting.splice(0, most)
      try {
        await doAll(batch)
      } catch (error) {
        if (batch.length > 1 && !isBookingWebhooksError(error, 'STORE_UNAVAILABLE')) await doApart(batch)
        else for (const one of batch) fail(one, error)
      }
    }
    isRunning = false
  }

  return ask =>
    new Promise((answer, fail) => {
      waiting.push({ ask, answer, fail })
      if (!isRunning) void run()
    })
}

function chained<Item>(items: Item[], chainOf: (item: Item) => unknown): Item[][] {
  const chains = new Map<unknown, Item[]>()
  for (const item of items) {
    const chain = chains.get(chainOf(item))
    if (chain) chain.push(item)
    else chains.set(chainOf(item), [item])
  }
  return [...chains.values()]
}
