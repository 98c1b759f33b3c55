import {
  databaseFrom,
  type EnvironmentAdapter,
  forwardFrom,
  providersFrom,
} from '@booking-webhooks/cli/environment'
import type { Adapter, InboxOptions } from '@booking-webhooks/core'
import { knexStore } from '@booking-webhooks/knex'

/** Everything may be left out: what is not given comes from the environment. */
export type EnvironmentOptions<Adapters extends readonly Adapter[] = EnvironmentAdapter[]> = Partial<
  InboxOptions<Adapters>
>

/**
 * Fills in providers (`CALENDLY_SIGNING_KEY`, …), the store (`DATABASE_URL`, else `./booking-webhooks.db`) and, where no subscriber
 * is given, forwarding (`FORWARD_URL`). Throws INVALID_OPTION that names what is missing.
 */
export function fromEnvironment<const Adapters extends readonly Adapter[]>(
  options: EnvironmentOptions<Adapters>,
  environment = process.env,
): InboxOptions<Adapters> {
  // Where no providers are given, `Adapters` is the default of `EnvironmentOptions`.
  const providers = options.providers ?? (providersFrom(environment) as readonly Adapter[] as Adapters)
  const store = options.store ?? knexStore(databaseFrom(environment))
  const isSubscribed = options.on !== undefined || options.subscribers !== undefined
  const forward = isSubscribed ? null : forwardFrom(environment)
  return { ...options, providers, store, ...(forward && { subscribers: { forward } }) }
}
