import type { Backlog, Health } from '@booking-webhooks/core'
import { briefInstant } from '../print/brief.js'
import type { Finding } from './finding.js'

/** Calendly's signatures may come from 5 minutes ahead at most; a tenth of that is still far from normal. */
const clockMs = 30_000
/** A process takes what is due within its polling of a second. */
const idleMs = 30_000

/** What a ledger's numbers mean. */
export function examineLedger(health: Health): Finding[] {
  return [
    clock(health),
    backlog(health),
    deadLetters(health),
    lanes(health),
    ...unseen(health),
    ...failures(health),
  ]
}

function clock({ clockAheadMs }: Health): Finding {
  const seconds = Math.round(Math.abs(clockAheadMs) / 1_000)
  if (Math.abs(clockAheadMs) <= clockMs)
    return { check: 'clock', state: 'ok', detail: `This machine and the database are ${seconds} s apart.` }
  return {
    check: 'clock',
    state: 'problem',
    detail: `This machine is ${seconds} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} the database. Signatures are judged by the machine's clock: set it, or use NTP.`,
  }
}

function backlog(health: Health): Finding {
  const { events, tells } = health.backlog
  const { waiting, replaysRunning, erasuresWaiting, alertsToHandOver } = health
  const parts = [
    `events to decide: ${inWords(events)}`,
    `callbacks to run: ${inWords(tells)}`,
    `conflicts that wait for a slot: ${waiting}`,
    `replays: ${replaysRunning}`,
    `erasures that wait: ${erasuresWaiting}`,
    `alerts to hand over: ${alertsToHandOver}`,
  ]
  const isEmpty = events.pending + tells.pending + replaysRunning + erasuresWaiting + alertsToHandOver === 0
  return { check: 'backlog', state: isEmpty ? 'ok' : 'note', detail: parts.join('; ') }
}

function inWords({ pending, oldestMs }: Backlog): string {
  return oldestMs === null ? `${pending}` : `${pending} (the oldest for ${Math.round(oldestMs / 1_000)} s)`
}

function deadLetters({ dead: { events, tells } }: Health): Finding {
  if (events + tells === 0) return { check: 'dead letters', state: 'ok', detail: 'None.' }
  return {
    check: 'dead letters',
    state: 'problem',
    detail: `${events} of fetches, ${tells} of callbacks. See booking-webhooks dead, mend the cause, then booking-webhooks dead replay.`,
  }
}

/** What is due and neither taken nor resting after a failure is nobody's. */
function lanes({ lanesBackingOff, backlog: { events, tells }, unseen }: Health): Finding {
  const resting = `Resting after a failure: ${lanesBackingOff}.`
  // What waits for a subscriber that nobody runs is old, however hard everybody works.
  const oldestMs = Math.max(events.oldestMs ?? 0, unseen.length > 0 ? 0 : (tells.oldestMs ?? 0))
  if (lanesBackingOff > 0 || oldestMs <= idleMs) return { check: 'lanes', state: 'ok', detail: resting }
  return {
    check: 'lanes',
    state: 'problem',
    detail: `${resting} Nobody has worked for ${Math.round(oldestMs / 1_000)} s. Is booking-webhooks serve (or your app) running on this database?`,
  }
}

function unseen({ unseen: subscribers }: Health): Finding[] {
  return subscribers.map(({ subscriber, pending, lastSeenAt }) => ({
    check: 'lanes',
    state: 'problem',
    detail: `No process runs the subscriber ${subscriber}${lastSeenAt ? ` since ${briefInstant(lastSeenAt)}` : ''}, and ${pending} callbacks wait for it. Is its worker down? If it is gone for good: booking-webhooks dead retire ${subscriber}.`,
  }))
}

/** By the second threshold of the default alerts it is no slip any more. */
const failuresOfAPerson = 5

/** What failed the last time; an API that refuses credentials and a half that is missing do not mend by themselves. */
function failures({ failing }: Health): Finding[] {
  return failing.map(({ subject, consecutiveFailures }) => {
    const isScanner = subject.startsWith('unsigned:')
    const isLasting = /^(api|missing):/.test(subject) || consecutiveFailures >= failuresOfAPerson
    return {
      check: 'failures',
      state: isLasting && !isScanner ? 'problem' : 'note',
      detail: `${subject} failed ${consecutiveFailures === 1 ? 'the last time' : `${consecutiveFailures} times in a row`}. The log says why.`,
    }
  })
}
