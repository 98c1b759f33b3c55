/** One thing that was looked at. */
export interface Finding {
  check: 'configuration' | 'database' | 'schema' | 'clock' | 'backlog' | 'dead letters' | 'lanes' | 'failures'
  /** `problem` needs a person; `note` is worth knowing. */
  state: 'ok' | 'note' | 'problem'
  /** What is so and, for a problem, what to do. */
  detail: string
}
