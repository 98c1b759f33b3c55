import type { FactKind } from '@booking-webhooks/core'
import type { Appointment } from './appointment.js'
import { changedParts, comparedOf, type Part } from './compared.js'
import type { Known } from './known.js'

/** `revived` cannot be: Acuity takes no cancel back. */
export type Change = Extract<FactKind, 'created' | 'moved' | 'updated' | 'canceled' | 'no_show'> | 'revived'

export interface Hint {
  /** The poke's action is `rescheduled`. */
  saysMoved: boolean
  /** Acuity made the appointment before the account was connected. */
  isOlder: boolean
}

/**
 * What happened between the last answer that was stored and this one. The action is a hint for what was never seen before,
 * and never the truth: `changed` may hide a cancel, `rescheduled` may find nothing new.
 */
export function compare(known: Known | null, found: Appointment, hint: Hint): Change[] {
  const canceled: Change[] = found.isNoShow ? ['canceled', 'no_show'] : ['canceled']
  if (!known) {
    if (found.isCanceled) return canceled
    if (hint.isOlder) return [hint.saysMoved ? 'moved' : 'updated']
    return ['created']
  }
  if (known.isCanceled && !found.isCanceled) return ['revived']
  if (!known.isCanceled && found.isCanceled) return canceled

  const changed = changedParts(known.compared, comparedOf(found))
  if (!known.isCanceled && changed.some(isPlace)) return ['moved']
  if (found.isNoShow && !known.isNoShow) return ['no_show']
  if (changed.length > 0 || found.isNoShow !== known.isNoShow || !known.isWhole) return ['updated']
  return []
}

/** What a slot hangs on: when, whose, and with whom it is shared. */
function isPlace(part: Part): boolean {
  return part === 'startsUs' || part === 'calendarID' || part === 'classID'
}
