import Table from 'cli-table3'

export interface Column<Row> {
  title: string
  /** What a person reads; null or `''` leaves the cell empty. */
  show(row: Row): string | number | null
  /** Wraps at so many characters; else as wide as its widest cell. */
  width?: number
}

/** A light table, one line above each row. Free of colours, so that it reads the same in a file. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const drawn = new Table({
    head: columns.map(column => column.title),
    colWidths: columns.map(column => column.width ?? null),
    wordWrap: true,
    wrapOnWordBoundary: true,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: plain,
  })
  for (const row of rows) drawn.push(columns.map(column => column.show(row) ?? ''))
  return drawn.toString().replace(/ +$/gm, '')
}

const plain = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map(name => [name, '']),
)
