import { describeError } from '../event/describe-error.js'
import { invalidOption } from '../event/errors.js'
import { type Log, type LogFields, standardErrorLog } from '../event/log.js'

const levels = ['debug', 'info', 'warn', 'error'] as const

/**
 * The same log, but nothing that it throws or rejects with reaches the work; said once, on standard error. Throws INVALID_OPTION where it lacks
 * a method.
 */
export function harmlessLog(log: Log): Log {
  let isSaid = false
  const failed = (error: unknown): void => {
    if (isSaid) return
    isSaid = true
    standardErrorLog.error('the log failed, which is said once', { reason: describeError(error) })
  }
  const at =
    (level: (typeof levels)[number]) =>
    (message: string, fields?: LogFields): void => {
      try {
        const result: unknown = log[level](message, fields)
        // An async method fits a type that returns nothing.
        if (result instanceof Promise) result.catch(failed)
      } catch (error) {
        failed(error)
      }
    }
  const missing = levels.filter(level => typeof Object(log)[level] !== 'function')
  if (missing.length > 0)
    throw invalidOption(`log needs the methods debug, info, warn and error; it lacks ${missing.join(', ')}.`)
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
