import type { Micros } from '../event/instant.js'
import type { Store } from './store.js'

/** Calendly and Acuity retry for a day. */
const retriedForUs = 24 * 3_600_000_000

/**
 * Says when an account was connected; `firstUs` is the arrival of the event that asks. The store is asked once for each account, and again
 * after it failed.
 */
export function connectedSince(
  store: Pick<Store, 'connect'>,
): (provider: string, account: string, firstUs: Micros) => Promise<Micros> {
  const connected = new Map<string, Promise<Micros>>()

  // An account that only turns up with its first delivery was connected before it, at most as long as providers retry.
  const connect = async (provider: string, account: string, firstUs: Micros): Promise<Micros> => {
    const startedUs = await store.connect(provider, 'default', null)
    if (account === 'default') return startedUs
    return store.connect(provider, account, Math.max(startedUs, firstUs - retriedForUs))
  }

  return (provider, account, firstUs) => {
    const key = `${provider}/${account}`
    const known = connected.get(key) ?? connect(provider, account, firstUs)
    connected.set(key, known)
    known.catch(() => connected.delete(key))
    return known
  }
}
