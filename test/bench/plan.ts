import { parseArgs } from 'node:util'

export const sections = ['ack', 'storm', 'drain', 'growth', 'slow', 'verify'] as const

export type Section = (typeof sections)[number]

/** How much of everything is measured. */
export interface Plan {
  sections: Section[]
  isJson: boolean
  rounds: number
  connections: number[]
  /** Requests of one round of `ack` and `storm`, over all connections. */
  requests: number
  /** Such rounds before those that count: V8 goes on compiling for so long. */
  warmUps: number
  /** Requests of one round of the other sections, for each connection. */
  requestsEach: number
  /** Ten for each booking. */
  drained: { events: number; processes: number[] }
  /** Events stored before growth is measured, smallest first, and lanes in back-off beside them. */
  stored: number[]
  laneCount: number
  /** How many deliveries one process is to bear, and after how many its memory is looked at. */
  delivered: { all: number; atOnce: number }
  /** How long one contestant verifies in one round, in milliseconds. */
  verifyMs: number
}

const full: Omit<Plan, 'sections' | 'isJson'> = {
  rounds: 5,
  connections: [32, 128],
  requests: 5_120,
  warmUps: 3,
  requestsEach: 40,
  drained: { events: 20_000, processes: [1, 2] },
  stored: [0, 100_000, 1_000_000],
  laneCount: 100_000,
  delivered: { all: 200_000, atOnce: 20_000 },
  verifyMs: 400,
}

/** Under a minute: enough to see that everything works, and a rough ratio. */
const short: typeof full = {
  rounds: 1,
  connections: [32],
  requests: 160,
  warmUps: 1,
  requestsEach: 5,
  drained: { events: 100, processes: [1] },
  stored: [0, 10_000],
  laneCount: 2_000,
  delivered: { all: 640, atOnce: 320 },
  verifyMs: 20,
}

/** What the command line asks for: `--json`, `--short`, and names of sections, all where none is named. */
export function planOf(args: string[]): Plan {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, short: { type: 'boolean', default: false } },
  })
  const unknown = positionals.find(name => !sections.includes(name as Section))
  if (unknown !== undefined)
    throw new Error(`There is no section '${unknown}'. Choose of ${sections.join(', ')}.`)
  return {
    ...(values.short ? short : full),
    isJson: values.json,
    sections: sections.filter(name => positionals.length === 0 || positionals.includes(name)),
  }
}
