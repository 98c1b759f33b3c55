/** What a log line is about, beside its message. Never a secret, a body or a guest's data. */
export type LogFields = Record<string, string | number | boolean | null | undefined>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** Writes one JSON object a line: `level`, `time`, `message` and the fields. */
export function jsonLog(write: (line: string) => void, now: () => Date = () => new Date()): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      write(`${JSON.stringify({ level, time: now().toISOString(), message, ...fields })}\n`)
  return { debug: () => {}, info: at('info'), warn: at('warn'), error: at('error') }
}

/** The default: JSON lines on standard error. */
export const standardErrorLog: Log = jsonLog(line => {
  process.stderr.write(line)
})
