import { hostname } from 'node:os'
import type { Adapter } from '../adapter/adapter.js'
import { describeError } from '../event/describe-error.js'
import { standardErrorLog } from '../event/log.js'
import { limitsOf } from '../http/limits.js'
import { harmless } from '../observe/harmless.js'
import { harmlessLog } from '../observe/harmless-log.js'
import { replyTo } from '../receive/answer.js'
import { receive } from '../receive/receive.js'
import { recorder } from '../receive/recorder.js'
import { type Replaying, replay } from '../replay/replay.js'
import { hasCome } from '../settle/missing-half.js'
import { type Settling, settle } from '../settle/settle.js'
import { suspects } from '../settle/suspects.js'
import { settledAtOnce, turns } from '../settle/turns.js'
import { thresholdsOf } from '../tell/alert-thresholds.js'
import { alerts } from '../tell/alerts.js'
import { backoffOf } from '../tell/backoff.js'
import { leaving } from '../tell/leaving.js'
import { subscribersOf } from '../tell/subscribers.js'
import { type Telling, tell } from '../tell/tell.js'
import { adaptersOf } from './adapters-of.js'
import { connectedSince } from './connected-since.js'
import { dispatcher } from './dispatch.js'
import { housekeeper } from './housekeeper.js'
import type { Inbox } from './inbox.js'
import type { InboxOptions } from './inbox-options.js'
import { lifetime } from './lifetime.js'
import { operations } from './operations.js'
import { paceOf } from './pace.js'

/** An adapter gives its provider's API less than this, in milliseconds. */
const longestFetchMs = 30_000

/** Makes an inbox without HTTP: what a worker process runs. Options are checked here; the store is opened by `start`. */
export function createInbox<const Adapters extends readonly Adapter[], Transaction>(
  options: InboxOptions<Adapters, Transaction>,
): Inbox {
  const adapters = adaptersOf(options)
  const limits = limitsOf(options)
  const subscribers = subscribersOf(options)
  const names = [...subscribers.keys()]
  const { store } = options
  const log = harmlessLog(options.log ?? standardErrorLog)
  const now = options.now ?? (() => new Date())
  const random = options.random ?? Math.random
  const observer = harmless(options.observe ?? {}, log)
  const { concurrency, pollMs, leaseMs } = paceOf(options)
  const isDispatching = options.dispatch ?? true

  const raised = alerts({
    store,
    thresholds: thresholdsOf(options.alertThresholds),
    log,
    isOver: subject => hasCome(subject, store),
    isClosing: () => isClosing(),
    onAlert: options.onAlert,
  })
  const recording = recorder(store)
  const connectedUs = connectedSince(store)
  const settling: Settling = {
    store,
    adapters,
    leaseMs,
    log,
    now,
    random,
    hash: text => hash(text),
    backoff: backoffOf(options.fetchBackoff, 'fetchBackoff'),
    attempts: options.attempts ?? 25,
    alert: (subject, fields) => raised.failed(subject, fields),
    recovered: subject => raised.recovered(subject),
    isClosing: () => isClosing(),
    turns: turns(concurrency, () => work.isDraining()),
    suspects: suspects(),
    slots: options.slots ?? true,
    resources: options.resources,
    worked: () => work.hint('tell'),
    observer,
    connectedUs,
  }
  const telling: Telling = {
    store,
    subscribers,
    leaseMs,
    log,
    random,
    isClosing: () => isClosing(),
    now,
    observer,
    alerts: raised,
    leaving: leaving(now),
  }
  const replaying: Replaying = {
    store,
    leaseMs,
    isClosing: () => isClosing(),
    worked() {
      work.hint('settle')
      work.hint('tell')
    },
  }
  const work = dispatcher({
    store,
    work: {
      settle: lane => settle(lane, settling),
      tell: lane => tell(lane, telling),
      replay: lane => replay(lane, replaying),
    },
    subscribers: names,
    owner: `${hostname()}:${process.pid}`,
    concurrency: {
      settle: settledAtOnce([...adapters.values()], concurrency),
      tell: concurrency,
      replay: concurrency,
    },
    leaseMs,
    pollMs,
    log,
  })

  const keeping = housekeeper({
    store,
    subscribers: [...subscribers.values()],
    retentionDays: options.retentionDays ?? 30,
    alerts: raised,
    log,
  })
  const { start, close, isClosing, hash } = lifetime({
    store,
    providers: [...adapters.keys()],
    connectedUs,
    subscribers: [...subscribers.values()],
    observer,
    recording,
    isDispatching,
    work,
    keeping,
    alerts: raised,
    longestRunMs: Math.max(longestFetchMs, ...[...subscribers.values()].map(({ timeoutMs }) => timeoutMs)),
    log,
  })

  for (const adapter of adapters.values())
    for (const warning of adapter.warnings ?? []) log.warn(warning, { provider: adapter.provider })

  return {
    providers: [...adapters.keys()],
    limits,
    log,
    now,
    async receive(provider, request) {
      const adapter = adapters.get(provider)
      if (!adapter) return null
      const unavailable = (code: 'INBOX_CLOSED' | 'STORE_UNAVAILABLE') => {
        const answer = replyTo(code)
        observer.answered({ provider, account: '', status: answer.status, code })
        return answer
      }
      if (isClosing()) return unavailable('INBOX_CLOSED')
      try {
        await start()
      } catch (error) {
        log.error('the store is not open', { provider, reason: describeError(error) })
        return unavailable('STORE_UNAVAILABLE')
      }
      const answer = await receive(request, {
        adapter,
        hash,
        log,
        record: events => recording.record(events),
        signature: raised.signature,
        now,
        observer,
      })
      work.hint('settle')
      if (options.finishBeforeAnswer && answer.status === 200) {
        await keeping.seen()
        await work.drain()
      }
      return answer
    },
    answered: answer => observer.answered(answer),
    start,
    close,
    async drain() {
      await start()
      await keeping.seen()
      await work.drain()
      if (!isClosing()) await raised.handOver()
    },
    async sweep() {
      await start()
      await keeping.sweep()
    },
    ...operations(store, start, () => work.hint('replay')),
  }
}
