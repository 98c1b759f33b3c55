import { BookingWebhooksError } from '../event/errors.js'
import type { ClaimedLane } from './lane.js'
import type { Store } from './store.js'

/**
 * Runs `work` while the lane's lease is renewed at a third of it. The signal is aborted when the lease is lost:
 * whoever has the lane now writes, and this process writes nothing more.
 */
export async function holdLane<Result>(
  store: Pick<Store, 'renew'>,
  lane: ClaimedLane,
  leaseMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lost = new AbortController()
  const timer = setInterval(() => {
    store.renew(lane, leaseMs).then(
      held => {
        if (!held)
          lost.abort(new BookingWebhooksError('LEASE_LOST', 'Another process has taken this lane over.'))
      },
      // The store is away: the lease may still be ours, and every write is fenced.
      () => {},
    )
  }, leaseMs / 3)
  try {
    return await work(lost.signal)
  } finally {
    clearInterval(timer)
  }
}
