import { isBookingWebhooksError } from '@booking-webhooks/core'

/** What became of one of those that were done together: its answer, an error of its own, or that its turn is the next time. */
export type Became<Answer> = { answer: Answer } | { error: unknown } | 'put off'

interface Waiting<Ask, Answer> {
  ask: Ask
  answer(answer: Answer): void
  fail(error: unknown): void
}

/** One that is stuck (on a row that somebody holds) keeps no other waiting; each has a connection of the pool. */
const aloneAtOnce = 4

/**
 * Does together, at most so many at once, what was asked for while the ones before were done: what a commit, a flush or a query costs is then
 * shared. Where all of it fails, each is done alone, so that one hurts no other.
 */
export function gather<Ask, Answer>(
  doTogether: (asks: Ask[]) => Promise<Became<Answer>[]>,
  most: number,
): (ask: Ask) => Promise<Answer> {
  const waiting: Waiting<Ask, Answer>[] = []
  let isRunning = false

  const doAll = async (batch: Waiting<Ask, Answer>[]): Promise<void> => {
    try {
      const became = await doTogether(batch.map(one => one.ask))
      const putOff = batch.filter((one, index) => {
        const what = became[index] as Became<Answer>
        if (what === 'put off') return true
        if ('error' in what) one.fail(what.error)
        else one.answer(what.answer)
        return false
      })
      waiting.unshift(...putOff)
    } catch (error) {
      if (batch.length === 1 || isBookingWebhooksError(error, 'STORE_UNAVAILABLE'))
        for (const one of batch) one.fail(error)
      else await Promise.all(Array.from({ length: aloneAtOnce }, () => oneByOne(batch)))
    }
  }

  const oneByOne = async (batch: Waiting<Ask, Answer>[]): Promise<void> => {
    for (let one = batch.shift(); one !== undefined; one = batch.shift()) await doAll([one])
  }

  const run = async (): Promise<void> => {
    isRunning = true
    // What is asked for in the same turn of the event loop belongs together, also the first time.
    await null
    while (waiting.length > 0) await doAll(waiting.splice(0, most))
    isRunning = false
  }

  return ask =>
    new Promise((answer, fail) => {
      waiting.push({ ask, answer, fail })
      if (!isRunning) void run()
    })
}
