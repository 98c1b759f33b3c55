import { atMost, type Store } from '@booking-webhooks/core'
import type { Knex } from 'knex'
import { connect } from './database/connect.js'
import type { Database } from './database/database.js'
import { hintsOf } from './database/hints.js'
import { patienceMs, retrying } from './database/retrying.js'
import { namedTables } from './database/tables.js'
import { throwing } from './database/throwing.js'
import { transaction } from './database/transaction.js'
import { dialectOf } from './dialects/dialect-of.js'
import { claimLanes } from './lane/claim.js'
import { laneWriter } from './lane/lane-writer.js'
import { nextDueMs, renewLane } from './lane/lanes.js'
import { laneRemover } from './lane/remove-lanes.js'
import { sweep } from './lane/sweep.js'
import { defaultPrefix, type KnexStoreOptions } from './options.js'
import { explainBooking } from './questions/explain.js'
import { health } from './questions/health.js'
import { listBookings } from './questions/list-bookings.js'
import { listEvents } from './questions/list-events.js'
import { leaveOut } from './replay/leave-out.js'
import { listReplays } from './replay/list-replays.js'
import { replayCandidates, replayScope } from './replay/replay-candidates.js'
import { addReplay, replayOf } from './replay/replays.js'
import { writeReplayPage } from './replay/write-page.js'
import { erase, finishErasures } from './retention/erase.js'
import { expirer } from './retention/expire.js'
import { bookingById } from './rows/bookings-by-id.js'
import { openDatabase } from './schema/open.js'
import { connectAccount, pauseAccount, pausedFor } from './settle/accounts.js'
import { fetchFailed, saveSnapshot } from './settle/fetched.js'
import { eventReader } from './settle/pending-events.js'
import { settler } from './settle/settle.js'
import { alertHandedOver, claimAlerts } from './tell/alerts.js'
import { tellReader } from './tell/pending-tells.js'
import { retireSubscriber } from './tell/retire.js'
import { subscribersSeen } from './tell/seen-subscribers.js'
import { finishedSteps, saveStep } from './tell/steps.js'
import { countResult, failingSubjects } from './tell/streaks.js'
import { registeredSubscribers, registerSubscribers } from './tell/subscribers.js'
import { tellWithin } from './tell/tell-within.js'

/** Connections of the pool that transactional subscribers leave to everybody else: they hold theirs for as long as their callbacks take. */
const keptFree = 4

/**
 * A store in SQLite, PostgreSQL, MySQL or MariaDB. `database` is a Knex instance (left open by `close`), a Knex configuration, or a URL:
 * a file path, `sqlite:PATH`, `postgres://…`, `mysql://…`. Throws INVALID_OPTION; every promise of the store rejects with an error of the
 * library that quotes neither SQL nor what is stored.
 */
export function knexStore(
  database: Knex | Knex.Config | string | undefined,
  options: KnexStoreOptions = {},
): Store<Knex.Transaction> {
  const { knex, isOwn, opening } = connect(database)
  const dialect = dialectOf(knex)
  const { now } = options
  const db: Database = {
    knex,
    isOwn,
    opening,
    dialect,
    tables: namedTables(options.prefix ?? defaultPrefix),
    nowUs: now ? () => String(Math.trunc(now())) : () => dialect.nowUs,
  }
  const run = <Result>(work: () => Promise<Result>, forMs = patienceMs) => retrying(db, work, forMs)

  const lanes = laneWriter(db)
  const settle = settler(db)
  const withinPool = atMost(Math.max(1, (knex.client.pool?.max ?? 1) - keptFree))
  const removeLanes = laneRemover(db)
  const expire = expirer(db)
  const hints = hintsOf(db)
  const hinting = async <Result>(work: Promise<Result>) => {
    const result = await work
    hints?.give()
    return result
  }

  return {
    name: dialect.name,
    open: () => run(() => openDatabase(db, options.migrate ?? true), 60_000),
    close: async () => {
      await hints?.close()
      await dialect.end?.(db)
      if (isOwn) await knex.destroy()
    },
    ping: () => run(async () => void (await knex.raw('SELECT 1')), 0),

    record: events => hinting(run(() => dialect.record(db, events), dialect.recordPatienceMs)),

    claim: request => run(() => claimLanes(db, request)),
    renew: (lane, leaseMs) => run(() => renewLane(db, lane, leaseMs)),
    release: lanes.release,
    nextDue: (kind, subscribers) => run(() => nextDueMs(db, kind, subscribers)),
    sweep: async () => {
      await run(removeLanes)
      return run(() => sweep(db))
    },
    ...(hints && { onWork: hints.listen }),

    pendingEvents: eventReader(db),
    saveSnapshot: (lane, eventId, snapshot) => run(() => saveSnapshot(db, lane, eventId, snapshot)),
    fetchFailed: (lane, eventId, failure) => run(() => fetchFailed(db, lane, eventId, failure)),
    settle: (lane, work) => hinting(settle(lane, work)),

    pendingTells: tellReader(db),
    beginAttempt: lanes.begin,
    tellWithin: (lane, tell, work, rule) =>
      withinPool(() => throwing(tracked => run(() => tellWithin(db, lane, tell, tracked(work), rule)))),
    transactionalTimeoutMs: dialect.transactionalTimeoutMs,
    endAttempt: lanes.end,
    booking: (provider, account, id) => run(() => bookingById(knex, db, provider, account, id)),
    steps: (eventId, subscriber) => run(() => finishedSteps(db, eventId, subscriber)),
    saveStep: (lane, tell, name, result) => run(() => saveStep(db, lane, tell, name, result)),

    register: subscribers => run(() => registerSubscribers(db, subscribers)),
    connect: (provider, account, sinceUs) => run(() => connectAccount(db, provider, account, sinceUs)),
    pauseAccount: (provider, account, pauseMs) => run(() => pauseAccount(db, provider, account, pauseMs)),
    pausedFor: (provider, account) => run(() => pausedFor(db, provider, account)),
    countResult: (subject, failures, rule) =>
      run(() => transaction(db, trx => countResult(db, trx, { subject, failures, rule }))),
    failing: () => run(() => failingSubjects(db)),
    claimAlerts: (leaseMs, restMs) => run(() => claimAlerts(db, leaseMs, restMs)),
    alertHandedOver: alert => run(() => alertHandedOver(db, alert)),

    subscribers: () => run(() => registeredSubscribers(db, knex)),
    replayScope: filter => run(() => replayScope(db, filter)),
    replayCandidates: (filter, scope, after, limit) =>
      run(() => replayCandidates(db, filter, scope, after, limit)),
    addReplay: replay => hinting(run(() => addReplay(db, replay))),
    replayOf: lane => run(() => replayOf(db, lane)),
    writeReplayPage: (lane, replay, page) => hinting(run(() => writeReplayPage(db, lane, replay, page))),
    leaveOut: (lane, tell) => run(() => leaveOut(db, lane, tell)),
    replays: filter => run(() => listReplays(db, filter)),

    expire: keptMs => run(() => expire(keptMs)),
    erase: (subject, how) => run(() => erase(db, subject, how)),
    finishErasures: () => run(() => finishErasures(db)),
    health: () => run(() => health(db)),
    retire: subscriber => run(() => retireSubscriber(db, subscriber)),
    seen: subscribers => run(() => subscribersSeen(db, subscribers)),
    explain: (bookingId, of) => run(() => explainBooking(db, bookingId, of)),
    events: (filter, page) => run(() => listEvents(db, filter, page)),
    bookings: (filter, page) => run(() => listBookings(db, filter, page)),
  }
}
