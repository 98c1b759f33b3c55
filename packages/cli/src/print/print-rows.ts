import { type Column, table } from './table.js'

export interface Printing<Row> {
  /** One JSON object a line, each as soon as it is read, instead of a table. */
  json: boolean | undefined
  columns: readonly Column<Row>[]
  /** Said on standard error where there are no rows. */
  none: string
}

/** Rows on standard output: a table for people, or JSON lines for programs. */
export async function printRows<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  { json, columns, none }: Printing<Row>,
): Promise<void> {
  const kept: Row[] = []
  for await (const row of rows)
    if (json) process.stdout.write(`${JSON.stringify(row)}\n`)
    else kept.push(row)
  if (json) return
  if (kept.length === 0) process.stderr.write(`${none}\n`)
  else process.stdout.write(`${table(columns, kept)}\n`)
}
