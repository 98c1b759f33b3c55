import { invalidOption } from '../event/errors.js'
import { outcomes } from '../lifecycle/decision.js'
import { type BookingFilter, type EventFilter, eventStatuses } from './listing-store.js'

/** What a field takes, in words, and whether a value is that. */
export interface Field {
  takes: string
  fits(value: unknown): boolean
}

/** Every field of what a caller hands in. */
export type Fields<Given> = Record<keyof Given & string, Field>

/** As handed in. Rejects as INVALID_OPTION a field that is not known, which would mean everything, and a value that no row has. */
export function checked<Given extends object>(call: string, given: Given, fields: Fields<Given>): Given {
  if (typeof given !== 'object' || given === null) throw invalidOption(`${call} takes an object, such as {}.`)
  for (const [name, value] of Object.entries(given)) {
    // Not `in`: an object has fields of its own, such as toString.
    const field = Object.hasOwn(fields, name) ? fields[name as keyof Given & string] : null
    if (!field)
      throw invalidOption(
        `${call} has no field ${JSON.stringify(name)}. There are: ${Object.keys(fields).join(', ')}.`,
      )
    if (value !== undefined && !field.fits(value))
      throw invalidOption(`${call}: ${name} must be ${field.takes}.`)
  }
  return given
}

export const text: Field = { takes: 'text', fits: value => typeof value === 'string' }

export const flag: Field = { takes: 'true or false', fits: value => typeof value === 'boolean' }

const micros: Field = { takes: 'whole microseconds since 1970', fits: Number.isSafeInteger }

function oneOf<Value extends string>(...values: Value[]): Field {
  return { takes: `one of ${values.join(', ')}`, fits: value => values.includes(value as Value) }
}

export const eventFields: Fields<EventFilter> = {
  event: text,
  booking: text,
  provider: text,
  account: text,
  type: text,
  outcome: oneOf(...outcomes),
  status: oneOf(...eventStatuses),
  subscriber: text,
  fromUs: micros,
  toUs: micros,
  by: oneOf('received', 'occurred'),
}

export const bookingFields: Fields<BookingFilter> = {
  booking: text,
  provider: text,
  account: text,
  thread: text,
  status: oneOf('requested', 'confirmed', 'conflict', 'canceled', 'rejected', 'rescheduled'),
}
