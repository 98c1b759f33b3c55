import { describeError } from '../event/describe-error.js'
import type { Log } from '../event/log.js'
import type { Alert } from '../inbox/inbox-options.js'
import type { Store, Streak } from '../inbox/store.js'

export interface Alerting {
  store: Pick<Store, 'countResult' | 'raiseAlert' | 'claimAlerts' | 'alertHandedOver'>
  /** Raised when so many failures came one after another. */
  thresholds: readonly number[]
  log: Log
  onAlert: ((alert: Alert) => unknown) | undefined
}

export interface Alerts {
  /** A subscriber's run ended: raises what its streak calls for. */
  told(subscriber: string, streak: Streak, error: string | null): Promise<void>
  /** Something that is no subscriber failed; counted, and raised at the first failure and no more until it recovers. */
  failed(subject: string, fields: Record<string, string>): Promise<void>
  /** It works again. Costs nothing unless this process saw it fail. */
  recovered(subject: string): Promise<void>
  /** An account's signature was right (null) or wrong. Never waits. */
  signature(provider: string, account: string, code: string | null): void
  /** Hands over what no process has handed over yet: a log line, and `onAlert`. */
  handOver(): Promise<void>
}

/** How long a process may take to hand alerts over before another one does, in milliseconds. */
const handOverMs = 60_000

/** Alerts at thresholds of consecutive failures, once per crossing over all processes, kept until they are handed over. */
export function alerts({ store, thresholds, log, onAlert }: Alerting): Alerts {
  const failing = new Set<string>()

  const raise = async (
    subject: string,
    { consecutiveFailures, endedStreak, streak }: Streak,
    at: readonly number[],
    fields: Record<string, string>,
  ): Promise<void> => {
    const first = Math.min(...at)
    const isAlert = consecutiveFailures > 0 && at.includes(consecutiveFailures)
    const isRecovery = consecutiveFailures === 0 && endedStreak >= first
    if (!isAlert && !isRecovery) return
    const isOurs = await store.raiseAlert({
      subject,
      streak,
      threshold: consecutiveFailures,
      kind: isAlert ? 'alert' : 'recovered',
      fields: { ...fields, consecutiveFailures: isAlert ? consecutiveFailures : endedStreak },
    })
    if (isOurs) await handOver()
  }

  const count = async (
    subject: string,
    isSuccess: boolean,
    at: readonly number[],
    fields: Record<string, string>,
  ) => raise(subject, await store.countResult(subject, isSuccess), at, fields)

  const handOver = async (): Promise<void> => {
    for (const alert of await store.claimAlerts(handOverMs)) {
      const fields = { subject: alert.subject, ...alert.fields }
      if (alert.kind === 'alert') log.error('alert', fields)
      else log.info('recovered', fields)
      const consecutiveFailures = Number(alert.fields.consecutiveFailures ?? alert.threshold)
      await onAlert?.({ kind: alert.kind, subject: alert.subject, consecutiveFailures, fields })
      await store.alertHandedOver(alert)
    }
  }

  const quietly = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      log.error('an alert could not be raised', { reason: describeError(error) })
    }
  }

  return {
    told: (subscriber, streak, error) =>
      quietly(
        raise(`subscriber:${subscriber}`, streak, thresholds, {
          subscriber,
          ...(error === null ? {} : { reason: error }),
        }),
      ),
    failed(subject, fields) {
      failing.add(subject)
      return quietly(count(subject, false, [1], fields))
    },
    async recovered(subject) {
      if (failing.delete(subject)) await quietly(count(subject, true, [1], {}))
    },
    signature(provider, account, code) {
      const subject = `signature:${provider}/${account}`
      if (code === null && !failing.delete(subject)) return
      if (code !== null) failing.add(subject)
      void quietly(
        count(subject, code === null, thresholds, { provider, account, ...(code ? { code } : {}) }),
      )
    },
    handOver: () => quietly(handOver()),
  }
}
