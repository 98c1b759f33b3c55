import { isBookingWebhooksError } from '@booking-webhooks/core'
import { type Environment, forwardFrom, providersFrom } from '../environment/index.js'
import type { Finding } from './finding.js'

/** Whether `serve` would start with this environment, and what it would warn of. */
export function examineConfiguration(environment: Environment): Finding[] {
  const check = 'configuration'
  try {
    const providers = providersFrom(environment)
    const target = forwardFrom(environment) ? 'events are forwarded' : 'no FORWARD_URL is set'
    const names = providers.map(({ provider }) => provider).join(', ')
    return [
      { check, state: 'ok', detail: `Connected: ${names}; ${target}.` },
      ...providers.flatMap(({ warnings = [] }) =>
        warnings.map((detail): Finding => ({ check, state: 'note', detail })),
      ),
    ]
  } catch (error) {
    if (!isBookingWebhooksError(error, 'INVALID_OPTION')) throw error
    return [{ check, state: 'problem', detail: error.message }]
  }
}
