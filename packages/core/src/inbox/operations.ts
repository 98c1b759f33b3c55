import { bookingFields, checked, eventFields, type Fields, flag, text } from '../listing/checked-filter.js'
import type { Page } from '../listing/listing-store.js'
import { askForReplay, type ReplayOptions } from '../replay/ask-for-replay.js'
import { erase } from '../retention/erase.js'
import { retire } from '../tell/retire.js'
import type { Inbox } from './inbox.js'
import type { Store } from './store.js'

const defaultPage: Page = { limit: 50, cursor: null }

/** What people ask of an inbox, each once the store is open. Arguments that cannot be meant reject with INVALID_OPTION. */
export function operations(
  store: Store,
  start: () => Promise<void>,
  replayAsked: () => void,
): Pick<
  Inbox,
  'ping' | 'health' | 'events' | 'bookings' | 'explain' | 'erase' | 'retire' | 'replay' | 'replays'
> {
  return {
    ping: () => store.ping(),
    async health() {
      await start()
      return store.health()
    },
    async events(filter = {}, page = {}) {
      checked('events(filter)', filter, eventFields)
      await start()
      return store.events(filter, { ...defaultPage, ...page })
    },
    async bookings(filter = {}, page = {}) {
      checked('bookings(filter)', filter, bookingFields)
      await start()
      return store.bookings(filter, { ...defaultPage, ...page })
    },
    async explain(bookingId, of = {}) {
      checked('explain(bookingId, of)', of, { provider: text, account: text })
      await start()
      return store.explain(bookingId, of)
    },
    async erase(subject, options) {
      await start()
      return erase(store, subject, options)
    },
    async retire(subscriber) {
      await start()
      return retire(store, subscriber)
    },
    async replay(filter, options = {}) {
      checked('replay(filter)', filter, eventFields)
      checked('replay(filter, options)', options, replayOptions)
      await start()
      const asked = await askForReplay(store, filter, options)
      replayAsked()
      return asked
    },
    async replays(filter = {}) {
      checked('replays(filter)', filter, { id: text })
      await start()
      return store.replays({ ...filter, limit: defaultPage.limit })
    },
  }
}

const replayOptions: Fields<ReplayOptions> = { dryRun: flag, fresh: flag, overtaken: flag, subscriber: text }
