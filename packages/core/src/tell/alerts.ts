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
  /** True once the process wants to stop. */
  isClosing(): boolean
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
  /** What a process that only receives does from time to time: it learns, and hands over only what its own `onAlert` is to hear. Never rejects. */
  attend(): Promise<void>
  /** Learns, ends what is over, and hands over what no process has handed over yet: a log line, and `onAlert`. Never rejects. */
  handOver(): Promise<void>
  /** Resolves when nothing is being counted or handed over. */
  settled(): Promise<void>
}

/** How long a process may take to hand alerts over before another one does, in milliseconds; `onAlert` has half of it. */
const handOverMs = 60_000

/** How long a process without `onAlert` leaves an alert to those that have it, in milliseconds. Each of them looks every minute. */
const leftForMs = 300_000

/**
 * Alerts at thresholds of consecutive failures, once per crossing over all processes. They are raised with the result that calls for them, in one
 * commit, and kept until they were handed over: `onAlert` of some process that has it hears each at least once, the log once. A process that has
 * none only logs, and takes for handed over what for five minutes nobody has tried to hand over.
 */
export function alerts({ store, thresholds, log, isOver, isClosing, onAlert }: Alerting): Alerts {
  const failing = new Set<string>()
  let handing: Promise<void> | null = null
  let isWanted = false

  const write = ({ kind, subject, fields }: StoredAlert): void => {
    if (kind === 'alert') log.error('alert', { subject, ...fields })
    else log.info('recovered', { subject, ...fields })
  }

  const handOne = async (alert: StoredAlert): Promise<void> => {
    const { kind, subject, threshold } = alert
    const fields = { subject, ...alert.fields }
    const consecutiveFailures = Number(alert.fields.consecutiveFailures ?? threshold)
    if (onAlert)
      await withTimeLimit(handOverMs / 2, 'onAlert took longer than half a minute.', null, () =>
        onAlert({ kind, subject, consecutiveFailures, fields }),
      )
    else if (alert.isFirst) return
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
      const claimed = await (onAlert ? store.claimAlerts(handOverMs) : store.claimAlerts(0, leftForMs))
      for (const alert of claimed) if (alert.isFirst) write(alert)
      for (const [index, alert] of claimed.entries()) {
        // What is left comes again in another process; one that hangs keeps nobody from closing for each of them.
        if (index > 0 && isClosing()) break
        await handOne(alert).catch(error =>
          log.warn('an alert was not handed over; it is tried again', {
            subject: alert.subject,
            reason: describeError(error),
          }),
        )
      }
    } catch (error) {
      log.error('alerts could not be read', { reason: describeError(error) })
    }
  }

  const handOver = (): Promise<void> => {
    isWanted = true
    handing ??= (async () => {
      do {
        isWanted = false
        await handAll()
      } while (isWanted && !isClosing())
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
    attend: onAlert ? handOver : learn,
    handOver,
    async settled() {
      await counter.settled()
      await handing
    },
  }
}
