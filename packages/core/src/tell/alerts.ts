import { describeError } from '../event/describe-error.js'
import type { Log } from '../event/log.js'
import type { Alert } from '../inbox/inbox-options.js'
import type { Store } from '../inbox/store.js'
import type { AlertRule } from './alert-rule.js'
import { type ResultCounter, resultCounter } from './result-counter.js'
import type { StoredAlert } from './stored-alert.js'
import { withTimeLimit } from './with-time-limit.js'

export interface Alerting {
  store: Pick<Store, 'countResult' | 'failing' | 'claimAlerts' | 'alertHandedOver'>
  /** Raised when so many failures came one after another. Rising. */
  thresholds: readonly number[]
  log: Log
  /** Whether what failed is well by now, where that can be seen without anything that tells it. */
  isOver(subject: string): Promise<boolean>
  onAlert: ((alert: Alert) => unknown) | undefined
}

export interface Alerts {
  /** What a subscriber's result is counted by; `error` null for a success. */
  ruleFor(subscriber: string, error: string | null): AlertRule
  /** Something was raised: it is handed over, which nobody waits for. */
  raised(): void
  /** Something that is no subscriber failed; counted, and raised at the first failure and no more until it recovers. */
  failed(subject: string, fields: Record<string, string>): Promise<void>
  /** It works again. Costs nothing unless some process saw it fail. */
  recovered(subject: string): Promise<void>
  /** An account's signature was right (null), wrong, or not there. Never waits. */
  signature(provider: string, account: string, code: string | null): void
  /** Learns what other processes saw fail, so that a success here ends it. Never rejects. */
  learn(): Promise<void>
  /** Learns, ends what is over, and hands over what no process has handed over yet: a log line, and `onAlert`. Never rejects. */
  handOver(): Promise<void>
  /** Resolves when nothing is being counted or handed over. */
  settled(): Promise<void>
}

/** How long a process may take to hand alerts over before another one does, in milliseconds; `onAlert` has half of it. */
const handOverMs = 60_000

/**
 * Alerts at thresholds of consecutive failures, once per crossing over all processes. They are raised with the result that calls for them, in one
 * commit, and kept until they were handed over: `onAlert` hears each at least once, the log once.
 */
export function alerts({ store, thresholds, log, isOver, onAlert }: Alerting): Alerts {
  const failing = new Set<string>()
  let handing: Promise<void> | null = null
  let isWanted = false

  const handOne = async (alert: StoredAlert): Promise<void> => {
    const fields = { subject: alert.subject, ...alert.fields }
    if (alert.isFirst || !onAlert) {
      if (alert.kind === 'alert') log.error('alert', fields)
      else log.info('recovered', fields)
    }
    const consecutiveFailures = Number(alert.fields.consecutiveFailures ?? alert.threshold)
    const { kind, subject } = alert
    if (onAlert)
      await withTimeLimit(handOverMs / 2, 'onAlert took longer than half a minute.', null, () =>
        onAlert({ kind, subject, consecutiveFailures, fields }),
      )
    await store.alertHandedOver(alert)
  }

  const learn = async (): Promise<void> => {
    try {
      for (const subject of await store.failing()) failing.add(subject)
    } catch (error) {
      log.error('alerts could not be read', { reason: describeError(error) })
    }
  }

  const handAll = async (): Promise<void> => {
    await learn()
    try {
      for (const subject of failing) if (await isOver(subject)) await recovered(subject)
      for (const alert of await store.claimAlerts(handOverMs))
        await handOne(alert).catch(error =>
          log.warn('an alert was not handed over; it is tried again', {
            subject: alert.subject,
            reason: describeError(error),
          }),
        )
    } catch (error) {
      log.error('alerts could not be read', { reason: describeError(error) })
    }
  }

  const handOver = (): Promise<void> => {
    isWanted = true
    handing ??= (async () => {
      while (isWanted) {
        isWanted = false
        await handAll()
      }
    })().finally(() => {
      handing = null
    })
    return handing
  }

  const counter: ResultCounter = resultCounter({
    async count(subject, failures, rule) {
      const { isRaised } = await store.countResult(subject, failures, rule)
      if (isRaised) void handOver()
    },
    log,
  })

  const recovered = async (subject: string): Promise<void> => {
    if (failing.delete(subject)) await counter.count(subject, 0, { thresholds: [1], fields: {} })
  }

  /** Scanners try every address of the internet, unsigned: one of them is no reason to wake anybody. */
  const unsignedThresholds = thresholds.length > 1 ? thresholds.slice(1) : thresholds
  const ruleOf = (subject: string, fields: Record<string, string>): AlertRule => ({
    thresholds: subject.startsWith('unsigned:') ? unsignedThresholds : thresholds,
    fields,
  })

  return {
    ruleFor: (subscriber, error) => ({
      thresholds,
      fields: { subscriber, ...(error === null ? {} : { reason: error }) },
    }),
    raised: () => void handOver(),
    failed(subject, fields) {
      failing.add(subject)
      return counter.count(subject, 1, { thresholds: [1], fields })
    },
    recovered,
    signature(provider, account, code) {
      // Whoever asks for accounts that do not exist would fill the tables with names of his own.
      if (code === 'UNKNOWN_ACCOUNT') return
      const about = `${provider}/${account}`
      if (code === null)
        for (const subject of [`signature:${about}`, `unsigned:${about}`]) {
          if (failing.delete(subject)) void counter.count(subject, 0, ruleOf(subject, { provider, account }))
        }
      else {
        const subject = `${code === 'SIGNATURE_MISSING' ? 'unsigned' : 'signature'}:${about}`
        failing.add(subject)
        void counter.count(subject, 1, ruleOf(subject, { provider, account, code }))
      }
    },
    learn,
    handOver,
    async settled() {
      await counter.settled()
      await handing
    },
  }
}
