import { setTimeout as delay } from 'node:timers/promises'
import type { ReplayRow, Store } from '@booking-webhooks/core'
import { Presets, SingleBar } from 'cli-progress'

const pollMs = 250
/** Long enough for a worker that polls every second to have begun. */
const patienceMs = 10_000

const signals = ['SIGINT', 'SIGTERM'] as const

/** Shows the progress of a replay of so many events on standard error until it is done. Says so, once, where nobody seems to work on it. */
export async function waitFor(store: Pick<Store, 'replays'>, id: string, events: number): Promise<ReplayRow> {
  const bar = new SingleBar(
    {
      format: '{bar} {value} of {total} events, {told} told',
      stream: process.stderr,
      hideCursor: true,
      // It would take the signal for itself, and the process would go on.
      gracefulExit: false,
    },
    Presets.shades_classic,
  )
  const startedMs = performance.now()
  let isWarned = false
  const interrupted = (signal: NodeJS.Signals) => {
    bar.stop()
    process.stderr.write(`\nThe replay ${id} goes on without anybody watching.\n`)
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.once(signal, interrupted)
  bar.start(events, 0, { told: 0 })
  try {
    for (;;) {
      const [row] = await store.replays({ id, limit: 1 })
      if (!row) throw new Error(`The replay ${id} is gone from the database.`)
      bar.update(row.done, { told: row.tells.done })
      if (row.state === 'done') return row
      if (!isWarned && row.done === 0 && performance.now() - startedMs > patienceMs) {
        isWarned = true
        process.stderr.write(
          '\nNobody works on it yet. Is booking-webhooks serve running on this database?\n',
        )
      }
      await delay(pollMs)
    }
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupted)
    bar.stop()
  }
}
