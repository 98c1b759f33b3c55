import {
  type Adapter,
  type BookingRow,
  formatInstant,
  type Inbox,
  invalidOption,
} from '@booking-webhooks/core'
import { type AccountOptions, accountCalls } from '../account-calls.js'
import type { AcuityRaw } from '../raw.js'
import { differs } from './differs.js'
import { lister } from './list.js'
import { listWindow } from './list-window.js'
import { poke } from './poke.js'
import { storedOf } from './stored.js'

export interface ReconcileOptions extends AccountOptions {
  /** Has `adapter` among its providers. */
  inbox: Pick<Inbox, 'receive' | 'bookings' | 'now'>
  /** Appointments that start from here on. Default: 7 days ago. */
  from?: Date
  /** To here. Default: in 60 days. */
  to?: Date
  /**
   * The ids of all calendars. Needed only where a day holds 100 appointments or more, which is all that one list shows: each
   * calendar's day is then listed by itself.
   */
  calendars?: readonly (string | number)[]
}

export interface Reconciled {
  /** Lists that Acuity was asked for. */
  lists: number
  /** Appointments in them, canceled ones included. */
  appointments: number
  /** Of those: not stored yet, or not as they are stored. Each is looked at again. */
  differing: number
  /** Stored as standing in this time, and not listed there any more. Each is looked at again. */
  missing: number
}

const dayMs = 86_400_000

/**
 * Finds what no webhook told: lists the account's appointments and has the inbox look again at those that are not as they are stored, which
 * then are settled and told like all others. Safe to repeat: what is as it is stored is not looked at. `adapter` is what `acuity()` returned.
 * Rejects with FETCH_FAILED where the lists cannot be had whole (nobody is looked at then), STORE_UNAVAILABLE where the inbox takes nothing.
 */
export async function reconcile(
  adapter: Adapter<'acuity', AcuityRaw>,
  options: ReconcileOptions,
): Promise<Reconciled> {
  const { inbox, calendars = [] } = options
  const calls = accountCalls(adapter, 'reconcile()', options)
  const { account, signal } = calls
  const nowMs = inbox.now().getTime()
  const fromMs = millisecondsOf('from', options.from, nowMs - 7 * dayMs)
  const toMs = millisecondsOf('to', options.to, nowMs + 60 * dayMs)
  if (fromMs > toMs) throw invalidOption('reconcile({ from, to }): from must not be later than to.')

  const list = lister(calls)
  // Acuity takes dates, of a zone that it does not name.
  const days = { first: Math.floor(fromMs / dayMs) - 1, last: Math.floor(toMs / dayMs) + 1 }
  const found = await listWindow(list.page, days, calendars.map(String))

  const [from, to] = [formatInstant(fromMs * 1_000), formatInstant(toMs * 1_000)]
  const isMissing = ({ id, status, startsAt }: BookingRow) =>
    status !== 'canceled' && startsAt !== null && startsAt >= from && startsAt <= to && !found.has(id)
  const { known, missing } = await storedOf(inbox, {
    account,
    signal,
    isListed: id => found.has(id),
    isMissing,
  })

  const differing = [...found]
    .filter(([id, row]) => differs(row, known.get(id), { id, account }))
    .map(([id]) => id)
  for (const id of [...differing, ...missing]) {
    signal.throwIfAborted()
    await poke(inbox, calls, id)
  }
  return {
    lists: list.count(),
    appointments: found.size,
    differing: differing.length,
    missing: missing.length,
  }
}

function millisecondsOf(name: string, given: Date | undefined, usual: number): number {
  const at = given === undefined ? usual : given.getTime()
  if (Number.isNaN(at)) throw invalidOption(`reconcile({ ${name} }) must be a Date.`)
  return at
}
