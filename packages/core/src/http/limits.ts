import { invalidOption } from '../event/errors.js'

/** What one request may take of us. */
export interface Limits {
  /** The largest body, in bytes, also after inflating. */
  maxBodyBytes: number
  /** How long a client may take to send its body, in milliseconds. */
  bodyTimeoutMs: number
}

/** MySQL and MariaDB take a statement of 16 MiB as they are set up, and Knex writes two characters a byte; half is left for the rest. */
const largestBodyBytes = 4 << 20

/** The limits of these options: 1 MiB and 10 s where they say nothing. Throws INVALID_OPTION for what would let nothing, or anything, in. */
export function limitsOf({ maxBodyBytes = 1 << 20, bodyTimeoutMs = 10_000 }: Partial<Limits>): Limits {
  if (!Number.isInteger(maxBodyBytes) || maxBodyBytes < 1 || maxBodyBytes > largestBodyBytes)
    throw invalidOption(`maxBodyBytes must be a whole number from 1 to ${largestBodyBytes} (4 MiB).`)
  // A timer that is set for longer fires at once.
  if (!(bodyTimeoutMs >= 1 && bodyTimeoutMs < 2 ** 31))
    throw invalidOption('bodyTimeoutMs must be a number of milliseconds from 1 to 2147483647.')
  return { maxBodyBytes, bodyTimeoutMs }
}
