import { invalidOption } from '../event/errors.js'

/** What one request may take of us. */
export interface Limits {
  /** The largest body, in bytes, also after inflating. */
  maxBodyBytes: number
  /** How long a client may take to send its body, in milliseconds. */
  bodyTimeoutMs: number
}

/** The limits of these options: 1 MiB and 10 s where they say nothing. Throws INVALID_OPTION for what would let nothing, or anything, in. */
export function limitsOf({ maxBodyBytes = 1 << 20, bodyTimeoutMs = 10_000 }: Partial<Limits>): Limits {
  if (!Number.isInteger(maxBodyBytes) || maxBodyBytes < 1 || maxBodyBytes > 1 << 30)
    throw invalidOption('maxBodyBytes must be a whole number from 1 to 1073741824 (1 GiB).')
  // A timer that is set for longer fires at once.
  if (!(bodyTimeoutMs >= 1 && bodyTimeoutMs < 2 ** 31))
    throw invalidOption('bodyTimeoutMs must be a number of milliseconds from 1 to 2147483647.')
  return { maxBodyBytes, bodyTimeoutMs }
}
