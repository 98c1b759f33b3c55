import type { EnvironmentAdapter } from '@booking-webhooks/cli/environment'
import type { Adapter, Inbox } from '@booking-webhooks/core'
import { type KoaWebhooks, bookingWebhooks as mount } from '@booking-webhooks/koa'
import { type EnvironmentOptions, fromEnvironment } from './from-environment.js'

/** `app.use(mount('/webhooks', bookingWebhooks()))`: as in `@booking-webhooks/koa`, with defaults from the environment. Throws INVALID_OPTION. */
export function bookingWebhooks<const Adapters extends readonly Adapter[] = EnvironmentAdapter[]>(
  given: EnvironmentOptions<Adapters> | Inbox = {},
): KoaWebhooks {
  return mount('receive' in given ? given : fromEnvironment(given))
}

export type { EnvironmentOptions }
