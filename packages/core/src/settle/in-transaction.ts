import type { LogFields } from '../event/log.js'
import type { ClaimedLane } from '../inbox/lane.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { Outcome } from '../lifecycle/decision.js'
import type { Deciding } from './deciding.js'
import type { SettleTransaction } from './settle-transaction.js'

/** What a transaction leaves to be said after its commit. */
export interface Aftermath {
  settled: (Outcome | 'dead')[]
  lines: { message: string; fields: LogFields }[]
}

/** Runs `work` under the lane's fence and says afterwards what came of it. */
export async function inTransaction<Result>(
  lane: ClaimedLane,
  { id, origin, provider, account }: StoredEvent,
  { store, log, worked, observer }: Pick<Deciding, 'store' | 'log' | 'worked' | 'observer'>,
  work: (transaction: SettleTransaction, after: Aftermath) => Promise<Result>,
): Promise<Result> {
  const { after, result } = await store.settle(lane, async transaction => {
    const aftermath: Aftermath = { settled: [], lines: [] }
    const counting: SettleTransaction = {
      ...transaction,
      write(written) {
        const { event } = written
        // A timed second look is nobody's event.
        if (origin !== 'look' || event.id !== id) aftermath.settled.push(event.outcome ?? 'dead')
        return transaction.write(written)
      },
    }
    return { result: await work(counting, aftermath), after: aftermath }
  })
  for (const outcome of after.settled) observer.settled({ provider, account, outcome })
  for (const { message, fields } of after.lines) {
    if (message === 'settled') log.info(message, fields)
    else log.warn(message, fields)
  }
  worked()
  return result
}
