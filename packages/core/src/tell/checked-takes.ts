import { invalidOption } from '../event/errors.js'
import type { BookingEventType } from '../event/event.js'
import { takesType } from '../settle/announce.js'

/** The types of a `takes`. Throws INVALID_OPTION for what is no type, and for those that would leave a calendar wrong. */
export function checkedTakes(name: string, takes: unknown, slots: boolean | undefined): string[] {
  if (!Array.isArray(takes))
    throw invalidOption(`The subscriber '${name}': takes must be a list of event types, such as ['*'].`)
  for (const type of takes)
    if (type !== '*' && !isType(type))
      throw invalidOption(
        `The subscriber '${name}': takes has ${JSON.stringify(type)}, which is no event type. Types are such as booking.created; '*' is all of them.`,
      )
  checkCalendar(name, type => takesType(takes, type), slots, 'Add it to takes.')
  return [...takes]
}

/** Throws INVALID_OPTION where bookings are taken, but not all that may become of them; `mend` says what to do. */
export function checkCalendar(
  name: string,
  isHandled: (type: BookingEventType) => boolean,
  slots: boolean | undefined,
  mend: string,
): void {
  if (!isHandled('booking.created')) return
  const needed: BookingEventType[] = [
    'booking.rescheduled',
    ...(slots === false ? [] : (['booking.conflict'] as const)),
  ]
  for (const type of needed)
    if (!isHandled(type))
      throw invalidOption(
        `The subscriber '${name}' takes booking.created but not ${type}, so its calendar would go wrong in silence. ${mend}`,
      )
}

const bookingTypes: readonly unknown[] = [
  'booking.requested',
  'booking.created',
  'booking.rescheduled',
  'booking.canceled',
  'booking.rejected',
  'booking.updated',
  'booking.no_show',
  'booking.paid',
  'booking.started',
  'booking.ended',
  'booking.conflict',
]

/** Whether events of this type may come; true of `provider.*`, too. */
export function isType(type: unknown): boolean {
  return bookingTypes.includes(type) || (typeof type === 'string' && /^provider\../s.test(type))
}
