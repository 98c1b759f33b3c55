import type { Log, LogFields } from '@booking-webhooks/core'

export interface Line extends LogFields {
  level: keyof Log
  message: string
}

/** A log that keeps its lines. */
export function collectedLog(): { log: Log; lines: Line[] } {
  const lines: Line[] = []
  const at =
    (level: keyof Log) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ ...fields, level, message })
    }
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines }
}
