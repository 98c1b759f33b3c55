/** Why a value would not survive being stored as JSON; null where it would. Absent and undefined are one. */
export function problemOfJson(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === 'boolean') return null
  if (typeof value === 'string') return /\0|\p{Surrogate}/u.test(value) ? 'holds what databases refuse' : null
  if (typeof value === 'number') return Number.isFinite(value) ? null : `is ${value}`
  if (typeof value !== 'object') return `is a ${typeof value}`
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return 'is no plain object'
  for (const [name, item] of Object.entries(value)) {
    const problem = problemOfJson(item)
    if (problem) return `${name} ${problem}`
  }
  return null
}
