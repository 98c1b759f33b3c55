import { type AskedReplay, askForReplay, type EventFilter, type ReplayRow } from '@booking-webhooks/core'
import type { SharedOptions } from '../arguments/shared-options.js'
import { exitCode } from '../exit-code.js'
import { withStore } from '../with-store.js'
import { askedInWords, endedInWords } from './in-words.js'
import type { ReplayOptions } from './replay-options.js'
import { waitFor } from './wait-for.js'

/** Asks for the replay of what the filter means and, if wanted, waits for its end. */
export async function replay(filter: EventFilter, options: ReplayOptions & SharedOptions): Promise<number> {
  return withStore(options.database, async store => {
    const asked = await askForReplay(store, filter, options)
    if (asked.id === null || !options.wait || asked.scope.events === 0) {
      say(options.json, asked, askedInWords)
      return asked.scope.events === 0 && isExact(filter) ? exitCode.notSo : exitCode.done
    }
    const ended = await waitFor(store, asked.id, asked.scope.events)
    say(options.json, ended, endedInWords)
    return ended.tells.dead > 0 ? exitCode.notSo : exitCode.done
  })
}

/** A filter that names one thing; that it means nothing is a slip. */
function isExact({ event, booking }: EventFilter): boolean {
  return event !== undefined || booking !== undefined
}

function say<Told extends AskedReplay | ReplayRow>(
  json: boolean | undefined,
  told: Told,
  inWords: (told: Told) => string,
): void {
  process.stdout.write(`${json ? JSON.stringify(told) : inWords(told)}\n`)
}
