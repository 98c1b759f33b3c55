import { setTimeout as delay } from 'node:timers/promises'

/** How long it is waited for who does not ask, in milliseconds, and how often it is looked whether somebody did. */
const patienceMs = 2_000
const lookMs = 20

/** What the receiver needs to settle what it was answered, in milliseconds: nobody says when that is done. */
const settleMs = 50

/**
 * Counts how often a fake of Acuity's API was asked about an appointment, from now on; what is returned resolves once it was asked again, and
 * what it answered then is likely to be settled, or after two seconds.
 */
export async function untilAsked(id: number, apiUrl: string): Promise<() => Promise<void>> {
  const before = await askedAbout(id, apiUrl)
  return async () => {
    const until = performance.now() + patienceMs
    while ((await askedAbout(id, apiUrl)) <= before) {
      if (performance.now() > until) return
      await delay(lookMs)
    }
    await delay(settleMs)
  }
}

async function askedAbout(id: number, apiUrl: string): Promise<number> {
  try {
    const response = await fetch(new URL(`/control/calls/${id}`, apiUrl))
    const calls: unknown = await response.json()
    return Array.isArray(calls) ? calls.length : 0
  } catch {
    return 0 // It is gone: waiting ends by itself.
  }
}
