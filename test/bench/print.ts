import { type Section, sections } from './plan.js'
import type { Results, Row } from './result.js'
import { rounded } from './statistics.js'

const titles: Record<Section, string> = {
  ack: 'Answers to distinct deliveries (ratio: beside the ceiling, at least)',
  storm: 'Answers when nine of ten deliveries are repeats (ratio: beside the ceiling, at least)',
  drain: 'Events settled and told to a subscriber that does nothing, and jobs that do nothing',
  growth: 'Time for an answer and for a claim as the ledger grows (ratio: beside the empty one, at most)',
  slow: 'Answers while each subscriber takes a minute',
  verify: 'Deliveries verified and read, in one process',
}

/** The results as Markdown tables, columns without values left out. */
export function print(results: Results): string {
  const tables = sections.flatMap(section =>
    results[section].length > 0 ? [`## ${titles[section]}\n\n${table(results[section])}`] : [],
  )
  const checks = results.checks.map(({ name, ok }) => `- ${ok ? 'ok' : 'FAILED'}: ${name}`)
  return [...tables, `## Checks\n\n${checks.join('\n')}`].join('\n\n')
}

/** Every number as few digits as mean something. */
export function shortened(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? rounded(value) : value]),
  ) as Row
}

const columns = [
  'contestant',
  'database',
  'connections',
  'processes',
  'stored',
  'perSecond',
  'p50',
  'p99',
  'cpuUs',
  'loopUs',
  'ratio',
  'goal',
  'timesHand',
  'memoryMb',
] as const satisfies (keyof Row)[]

function table(rows: Row[]): string {
  const used = columns.filter(column => rows.some(row => row[column] !== undefined))
  const lines = rows.map(row => used.map(column => String(row[column] ?? '')))
  return [used, used.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}
