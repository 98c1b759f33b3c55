import type { HeldSlot, Store } from '@booking-webhooks/core'
import { afterChainContract } from './store/after-chain.js'
import { bytesContract } from './store/bytes.js'
import { claimContract } from './store/claim.js'
import { eraseContract } from './store/erase.js'
import { fenceContract } from './store/fence.js'
import { healthContract } from './store/health.js'
import { listContract } from './store/list.js'
import { manyContract } from './store/many.js'
import { namingContract } from './store/naming.js'
import { recordContract } from './store/record.js'
import { replayContract } from './store/replay.js'
import { retireContract } from './store/retire.js'
import { settleContract } from './store/settle.js'
import { slotContract } from './store/slots.js'
import { sweepContract } from './store/sweep.js'
import { tellContract } from './store/tell.js'
import { threadContract } from './store/thread.js'
import { togetherContract } from './store/together.js'
import { wakeContract } from './store/wake.js'
import type { TestFunctions } from './test-functions.js'

/** A database, and stores on it. The contract makes its own stores' clocks the database's own. */
export interface StoreUnderTest {
  /** Makes the database, empty but for the schema. Called once, before everything else. */
  start(): Promise<Ground>
}

export interface Ground {
  store: Store
  /** A further store on the same database, as another process would have it: with connections of its own, where the database has several. */
  another(): Promise<Store>
  probe: StoreProbe
  /** Closes the stores and drops the database. */
  stop(): Promise<void>
}

/** The back door: what is really there. */
export interface StoreProbe {
  /** Deletes all rows but the installation's. */
  empty(): Promise<void>
  /** An event's bytes as stored. */
  body(eventId: string): Promise<Uint8Array | null>
  /** All slots that are held, sorted by resource and start. */
  slots(): Promise<HeldSlot[]>
  /** How many rows there are. */
  count(of: 'events' | 'tells' | 'waiting' | 'steps'): Promise<number>
  /** Makes a lane idle, whatever is to be done in it: a fault that `sweep` must find. */
  strand(lane: string): Promise<void>
  /** Frees all slots behind everybody's back. */
  freeSlots(): Promise<void>
}

/** Runs one test on the emptied database. */
export type OnGround = (test: (ground: Ground) => Promise<void>) => () => Promise<void>

/** What the ledger promises, whichever database keeps it: a store is done when it passes. Takes a few seconds. */
export function storeContract(
  tests: TestFunctions & {
    before(work: () => Promise<void>): unknown
    after(work: () => Promise<void>): unknown
  },
  name: string,
  { start }: StoreUnderTest,
): void {
  tests.describe(`${name} as a store`, () => {
    let ground: Ground | undefined
    tests.before(async () => {
      ground = await start()
    })
    tests.after(async () => {
      await ground?.stop()
    })
    const on: OnGround = test => async () => {
      if (!ground) throw new Error('start() did not make a database.')
      await ground.probe.empty()
      await test(ground)
    }
    for (const contract of contracts) contract(tests, on)
  })
}

const contracts = [
  recordContract,
  bytesContract,
  claimContract,
  fenceContract,
  wakeContract,
  settleContract,
  threadContract,
  slotContract,
  tellContract,
  afterChainContract,
  manyContract,
  togetherContract,
  replayContract,
  healthContract,
  retireContract,
  eraseContract,
  sweepContract,
  listContract,
  namingContract,
]
