import type { Section } from './plan.js'

/** One line of a table: the medians of its rounds. What does not apply is left out. */
export interface Row {
  contestant: string
  database?: string
  connections?: number
  processes?: number
  /** Events stored beforehand; of the memory, deliveries so far. */
  stored?: number
  perSecond?: number
  /** Milliseconds. */
  p50?: number
  p99?: number
  /** Processor time of the receiving process for each answer, in microseconds: what a busy machine blurs least. */
  cpuUs?: number
  /** Time of the receiving process's event loop for each answer, in microseconds: what the rest of the app cannot have. */
  loopUs?: number
  /** Beside the yardstick of the section: the ceiling, the empty store. */
  ratio?: number
  /** What the ratio should be at least, or for growth at most. */
  goal?: number
  timesHand?: number
  /** Of the receiving process, resident. */
  memoryMb?: number
}

/** Something that must be so whatever the machine: nothing lost, nothing doubled. */
export interface Check {
  name: string
  ok: boolean
}

export interface Measured {
  rows: Row[]
  checks: Check[]
}

export type Results = Record<Section, Row[]> & { checks: Check[] }
