import type { Backlog, Health } from '@booking-webhooks/core'
import type { Finding } from './finding.js'

/** Calendly's signatures may come from 5 minutes ahead at most; a tenth of that is still far from normal. */
const clockMs = 30_000
/** A process takes what is due within its polling of a second. */
const idleMs = 30_000

/** What a ledger's numbers mean. */
export function examineLedger(health: Health): Finding[] {
  return [clock(health), backlog(health), deadLetters(health), lanes(health), ...unseen(health)]
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

function backlog({ backlog: { events, tells }, waiting, replaysRunning, erasuresWaiting }: Health): Finding {
  const parts = [
    `events to decide: ${inWords(events)}`,
    `callbacks to run: ${inWords(tells)}`,
    `conflicts that wait for a slot: ${waiting}`,
    `replays: ${replaysRunning}`,
    `erasures that wait: ${erasuresWaiting}`,
  ]
  const isEmpty = events.pending + tells.pending + replaysRunning + erasuresWaiting === 0
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
function lanes({ lanesBackingOff, backlog: { events, tells } }: Health): Finding {
  const resting = `Resting after a failure: ${lanesBackingOff}.`
  const oldestMs = Math.max(events.oldestMs ?? 0, tells.oldestMs ?? 0)
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
    detail: `No process runs the subscriber ${subscriber}${lastSeenAt ? ` since ${lastSeenAt}` : ''}, and ${pending} callbacks wait for it. Was it renamed, or is its worker down?`,
  }))
}
