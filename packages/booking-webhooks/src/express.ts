import type { EnvironmentAdapter } from '@booking-webhooks/cli/environment'
import type { Adapter, Inbox } from '@booking-webhooks/core'
import { bookingWebhooks as mount } from '@booking-webhooks/express'
import { type EnvironmentOptions, fromEnvironment } from './from-environment.js'

/** `app.use('/webhooks', bookingWebhooks())`: as in `@booking-webhooks/express`, with defaults from the environment. Throws INVALID_OPTION. */
export function bookingWebhooks<const Adapters extends readonly Adapter[] = EnvironmentAdapter[]>(
  given: EnvironmentOptions<Adapters> | Inbox = {},
): ReturnType<typeof mount> {
  return mount('receive' in given ? given : fromEnvironment(given))
}

export type { EnvironmentOptions }
