import type { Row } from '../dialects/dialect.js'

/** How many bytes one look at a lane brings, at least one row; and how many looks that are made together bring, at least a row each. */
const maxBytes = 1024 * 1024
const maxBytesTogether = 16 * 1024 * 1024

/** What each of so many looks made together may bring. Whole, as PostgreSQL takes nothing else for a bigint. */
export function sharedBytes(looks: number): number {
  return Math.min(maxBytes, Math.floor(maxBytesTogether / looks))
}

/** As many rows as fit, by their `bytes`, and always the first. */
export function fitting(rows: Row[], bytes = maxBytes): Row[] {
  let sum = 0
  return rows.filter((row, index) => {
    sum += Number(row.bytes)
    return index === 0 || sum <= bytes
  })
}
