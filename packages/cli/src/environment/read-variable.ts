import { type BookingWebhooksError, invalidOption } from '@booking-webhooks/core'

/** Where settings come from: `process.env`, or what a test hands in. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A variable's value without the blanks around it; undefined where it is not set. Set but empty is INVALID_OPTION, for it is a mistake in a file. */
export function readVariable(environment: Environment, name: string): string | undefined {
  const value = environment[name]?.trim()
  if (value === '') throw emptyVariable(name)
  return value
}

/** Several keys, separated by commas; undefined where the variable is not set. An empty one is INVALID_OPTION. */
export function readKeys(environment: Environment, name: string): string[] | undefined {
  const keys = readVariable(environment, name)
    ?.split(',')
    .map(key => key.trim())
  if (keys?.includes('')) throw emptyVariable(name, 'holds an empty key beside a comma')
  return keys
}

function emptyVariable(name: string, what = 'is set but empty'): BookingWebhooksError {
  return invalidOption(`${name} ${what}. Give it a value, or unset it.`)
}
