import { type Column, table } from '../print/table.js'
import type { Played } from './play.js'

/** The played story as a table, one row a step. */
export function storyTable(played: readonly Played[]): string {
  return table(
    columns,
    played.map((row, index) => ({ ...row, number: index + 1 })),
  )
}

const columns: Column<Played & { number: number }>[] = [
  { title: '', show: ({ number }) => number },
  { title: 'what happens', show: ({ words }) => words, width: 36 },
  { title: 'answer', show: ({ status }) => status },
  { title: 'outcome', show: ({ outcome }) => outcome ?? 'not let in' },
  { title: 'the subscriber is told', show: ({ told }) => told.join('\n') || '–' },
]

/** The line to paste. A key that was made for this run is shown, one from the environment is not. */
export function sendLine(base: string, madeKey: string | undefined): string {
  const key = madeKey === undefined ? '' : ` --key ${madeKey}`
  return `npx booking-webhooks send ${base} --provider calendly${key}`
}

/** The line that shows the story's ledger, which is no file that the command would find by itself. */
export function eventsLine(database: string): string {
  return `npx booking-webhooks events --database ${/\s/.test(database) ? JSON.stringify(database) : database}`
}
