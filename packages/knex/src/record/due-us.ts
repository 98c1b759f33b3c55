/** When an event may be looked at, as SQL: at once (0), or later by so many milliseconds. */
export function dueUs(nowUs: string, afterMs: number): string {
  return afterMs > 0 ? `${nowUs} + ${Math.round(afterMs * 1000)}` : '0'
}
