/** Nobody may silence us for longer than this in one answer. */
const longestMs = 24 * 60 * 60 * 1000

/** The `Retry-After` header (RFC 9110, 10.2.3: seconds or a date) in milliseconds from now, at most a day; null where it says nothing. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null
  const text = header.trim()
  const afterMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(afterMs) ? null : Math.min(Math.max(afterMs, 0), longestMs)
}
