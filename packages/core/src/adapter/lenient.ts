// Readers for fields that a provider's page promises but whose bytes may hold anything.

/** The text; null for anything else, also for `""`. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** An id as the model demands: text of 1 to 255 bytes without control characters or what was unstorable; null for anything else. */
export function idOrNull(value: unknown): string | null {
  return typeof value === 'string' && /^[^\p{Cc}\p{Surrogate}\ufffd]{1,255}$/u.test(value) && isShort(value)
    ? value
    : null
}

/** The finite number; null for anything else, also for digits in quotes. */
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** The boolean; null for anything else. */
export function booleanOrNull(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** The object, read as `Shape`, whose fields must all be optional since nothing checked them; null for anything else, also for arrays. */
export function objectOrNull<Shape extends object>(value: unknown): Partial<Shape> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}

/** The objects in the array, read as `Shape`, whose fields must all be optional; `[]` for anything else. */
export function objectsIn<Shape extends object>(value: unknown): Partial<Shape>[] {
  return Array.isArray(value) ? value.flatMap(item => objectOrNull<Shape>(item) ?? []) : []
}

function isShort(text: string): boolean {
  return Buffer.byteLength(text) <= 255
}
