import type { Row } from '../dialects/dialect.js'

/** Knex writes SQLite's multi-row insert as a compound SELECT, which is limited to 500 terms. */
const rowsAtOnce = 200

/** MySQL takes 16 MiB in one statement unless it is told otherwise, and the driver sends bytes as twice as many digits. */
const bytesAtOnce = 4 * 1024 * 1024

/** Rows as they may go into one INSERT each time, in their order. */
export function chunksOf(rows: readonly Row[]): Row[][] {
  const chunks: Row[][] = []
  let bytes = 0
  for (const row of rows) {
    const size = row.body instanceof Uint8Array ? row.body.byteLength : 0
    const last = chunks.at(-1)
    bytes += size
    if (last && last.length < rowsAtOnce && bytes <= bytesAtOnce) last.push(row)
    else {
      chunks.push([row])
      bytes = size
    }
  }
  return chunks
}
