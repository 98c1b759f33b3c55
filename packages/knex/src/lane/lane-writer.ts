import type { AlertRule, ClaimedLane, Release, StoredTell, Streak, TellResult } from '@booking-webhooks/core'
import type { Database } from '../database/database.js'
import { type Became, gather } from '../database/gather.js'
import { patienceMs, retrying } from '../database/retrying.js'
import { beginAttempts } from '../tell/begin-attempts.js'
import { endAttempts } from '../tell/end-attempts.js'
import { heldLanes, leaseLost } from './fence.js'
import { followersOf, releaseLanes } from './release-lanes.js'

/** What holders of lanes write on their way; a lane's holder waits for each. */
export interface LaneWriter {
  /** Counts an attempt before it runs, so that one that kills the process is counted too; null where there is nothing left to tell. */
  begin(lane: ClaimedLane, tell: StoredTell): Promise<number | null>
  /** Writes how the run ended, and counts it for the subscriber. */
  end(lane: ClaimedLane, tell: StoredTell, result: TellResult, rule?: AlertRule): Promise<Streak>
  /** Lets go of a lane; false where it is someone else's by now. */
  release(lane: ClaimedLane, to: Release): Promise<boolean>
}

/** One of them. `lane` is the holder's own. */
export type LaneWrite =
  | { is: 'begin'; lane: ClaimedLane; tell: StoredTell }
  | { is: 'end'; lane: ClaimedLane; tell: StoredTell; result: TellResult; rule: AlertRule | undefined }
  | { is: 'release'; lane: ClaimedLane; to: Release }

/** More gain little by then, and hold each other's lanes for longer. */
const atOnce = 64

/**
 * Shares commits between the holders of lanes. A loss of power may take back the last ones, which is why the database need not flush them: a
 * tell then runs once more, as it may, and a lease runs out.
 */
export function laneWriter(database: Database): LaneWriter {
  const write = gather<LaneWrite, unknown>(
    writes => retrying(database, () => writeTogether(database, writes), patienceMs),
    atOnce,
    // Not its key: who lost a lane fails nothing of who has it now.
    one => one.lane,
  )
  return {
    begin: (lane, tell) => write({ is: 'begin', lane, tell }) as Promise<number | null>,
    end: (lane, tell, result, rule) => write({ is: 'end', lane, tell, result, rule }) as Promise<Streak>,
    release: (lane, to) => write({ is: 'release', lane, to }) as Promise<boolean>,
  }
}

function writeTogether(database: Database, writes: LaneWrite[]): Promise<Became<unknown>[]> {
  return database.dialect.unflushed(database, async trx => {
    const released = writes.flatMap(one => (one.is === 'release' ? one.lane : []))
    const followers = await followersOf(database, trx, released)
    const lanes = writes.map(one => one.lane)
    const { held, nowUs } = await heldLanes(database, trx, lanes, followers)
    const became = new Map<LaneWrite, Became<unknown>>()
    for (const one of writes)
      if (!held.has(one.lane))
        became.set(one, one.is === 'release' ? { answer: false } : { error: leaseLost(one.lane) })
    const mine = writes.filter(one => !became.has(one))
    const answer = (some: LaneWrite[], answers: unknown[]): void => {
      for (const [index, one] of some.entries()) became.set(one, { answer: answers[index] })
    }
    const ends = mine.filter(one => one.is === 'end')
    answer(ends, await endAttempts(database, trx, ends))
    const begins = mine.filter(one => one.is === 'begin')
    answer(begins, await beginAttempts(database, trx, begins))
    const releases = mine.filter(one => one.is === 'release')
    await releaseLanes(database, trx, releases, held, nowUs)
    answer(releases, Array(releases.length).fill(true))
    return writes.map(one => became.get(one) as Became<unknown>)
  })
}
