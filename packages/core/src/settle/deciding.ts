import type { Adapter } from '../adapter/adapter.js'
import type { Micros } from '../event/instant.js'
import type { Log } from '../event/log.js'
import type { InboxOptions } from '../inbox/inbox-options.js'
import type { Store } from '../inbox/store.js'
import type { Observer } from '../observe/observer.js'

/** What it takes to decide an event. */
export interface Deciding {
  store: Pick<Store, 'settle'>
  adapter: Adapter
  log: Log
  hash(text: string): string
  /** When the account was connected; `firstUs` is the arrival of the event that asks. */
  connectedUs(provider: string, account: string, firstUs: Micros): Promise<Micros>
  slots: boolean
  resources: InboxOptions<readonly Adapter[]>['resources'] | undefined
  /** Told after each commit that wrote tells or made lanes due. */
  worked(): void
  observer: Required<Observer>
}
