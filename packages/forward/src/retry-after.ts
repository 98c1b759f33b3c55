/** A target may not silence itself for longer than this in one answer. */
const longestMs = 24 * 60 * 60 * 1000

/** The `Retry-After` header (RFC 9110, 10.2.3: seconds or a date) in milliseconds from `nowMs`, at most a day; null where it says nothing. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  const afterMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(afterMs) ? null : Math.min(Math.max(afterMs, 0), longestMs)
}
