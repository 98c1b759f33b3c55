import { invalidOption } from '@booking-webhooks/core'
import { type Environment, readVariable } from '../environment/index.js'

const defaultPort = 3000

/** `--port`, else `PORT`, else 3000; null for a worker that receives nothing and was given no port. */
export function portFrom(
  { port, receive }: { port?: number; receive: boolean },
  environment: Environment,
): number | null {
  if (port !== undefined) return port
  const text = readVariable(environment, 'PORT')
  if (text === undefined) return receive ? defaultPort : null
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw invalidOption('PORT must be a number from 0 to 65535.')
  return Number(text)
}
