/** Microseconds since 1970-01-01T00:00:00Z. Safe as a number until the year 2255. */
export type Micros = number

/** An instant as text, always `YYYY-MM-DDTHH:mm:ss.ffffffZ`. */
export type Instant = string

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/

/**
 * Reads an ISO 8601 date-time with an offset (`Z`, `+01:00` or `+0100`) to the microsecond.
 * Returns null for anything else, also for days that do not exist (30 February), times without an offset, and those that a number of microseconds
 * cannot hold exactly: before 1684 or from 2255 on.
 */
export function parseInstant(text: unknown): Micros | null {
  if (typeof text !== 'string') return null
  const match = pattern.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = match
  const wholeSeconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  const readBack = new Date(wholeSeconds).toISOString().slice(0, 19)
  if (readBack !== `${year}-${month}-${day}T${hour}:${minute}:${second}`) return null
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'))
  const instant = (wholeSeconds - offsetMs(zone)) * 1000 + micros
  return Number.isSafeInteger(instant) ? instant : null
}

/** Writes an instant in the one form that events use: UTC, six digits of fraction. */
export function formatInstant(micros: Micros): Instant {
  const wholeMs = Math.floor(micros / 1000)
  const rest = String(micros - wholeMs * 1000).padStart(3, '0')
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${rest}Z`
}

/** As `formatInstant`, null staying null. */
export function formatInstantOrNull(micros: Micros | null): Instant | null {
  return micros === null ? null : formatInstant(micros)
}

function offsetMs(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  const digits = zone.slice(1).replace(':', '')
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000
}
