import { invalidOption } from '../event/errors.js'

/** The option `alertThresholds`, rising. Throws INVALID_OPTION. */
export function thresholdsOf(given: readonly number[] = [1, 5, 20]): number[] {
  if (given.length === 0 || !given.every(threshold => Number.isSafeInteger(threshold) && threshold >= 1))
    throw invalidOption(
      'alertThresholds takes whole numbers of failures, at least one of them, such as [1, 5, 20].',
    )
  return [...new Set(given)].sort((a, b) => a - b)
}
