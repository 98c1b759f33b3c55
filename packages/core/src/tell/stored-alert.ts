/** An alert that a result calls for, or the recovery after one. */
export interface NewAlert {
  /** `subscriber:<name>`, `signature:<provider>/<account>`, … */
  subject: string
  streak: number
  /** How many consecutive failures crossed; 0 for a recovery. */
  threshold: number
  kind: 'alert' | 'recovered'
  /** What is known, for the log line and the callback. Free of secrets and guests' data. */
  fields: Record<string, string | number | null>
}

/** An alert as it is kept until a process has handed it over. */
export interface StoredAlert extends NewAlert {
  id: number
  /** Nobody took it before. */
  isFirst: boolean
}
