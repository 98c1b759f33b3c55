import type { Subscriber } from '@booking-webhooks/core'
import { checkedSecret, type ForwardOptions, forward } from '@booking-webhooks/forward'
import { type Environment, readVariable } from './read-variable.js'

/**
 * The subscriber that posts to `url`, by default `FORWARD_URL`, signed with `FORWARD_SECRET`; null where there is no URL.
 * Throws INVALID_OPTION.
 */
export function forwardFrom(
  environment: Environment,
  { url = readVariable(environment, 'FORWARD_URL'), ...options }: Partial<ForwardOptions> = {},
): Subscriber | null {
  const secret = readVariable(environment, 'FORWARD_SECRET')
  if (url !== undefined) return forward({ secret, ...options, url })
  // A wrong one should not wait for the day of the target.
  if (secret !== undefined) checkedSecret(secret)
  return null
}
