import { acuity } from '@booking-webhooks/acuity'
import { calcom } from '@booking-webhooks/calcom'
import { calendly } from '@booking-webhooks/calendly'
import { type BookingWebhooksError, invalidOption } from '@booking-webhooks/core'
import { type Environment, readKeys, readVariable } from './read-variable.js'

/** The variable that connects each provider, and those that mean nothing without it. */
export const providerVariables = {
  calendly: { key: 'CALENDLY_SIGNING_KEY', beside: ['CALENDLY_API_TOKEN'] },
  calcom: { key: 'CALCOM_WEBHOOK_SECRET', beside: ['CALCOM_API_KEY'] },
  acuity: { key: 'ACUITY_API_KEY', beside: ['ACUITY_USER_ID'] },
} as const

export type ProviderName = keyof typeof providerVariables

export type EnvironmentAdapter = ReturnType<(typeof makers)[ProviderName]>

/** Adapters for all providers whose key is set. INVALID_OPTION, naming the variables, where there is none or one is half set. */
export function providersFrom(environment: Environment): EnvironmentAdapter[] {
  const names = Object.keys(providerVariables) as ProviderName[]
  const providers = names.flatMap(name => {
    const keys = readKeys(environment, providerVariables[name].key)
    if (keys === undefined) requireNothingBeside(environment, name)
    return keys === undefined ? [] : [providerWith(name, keys, environment)]
  })
  if (providers.length === 0) throw noProvider(names)
  return providers
}

/** One provider's adapter with these keys; what stands beside them comes from the environment. Throws INVALID_OPTION. */
export function providerWith(
  name: ProviderName,
  keys: string[],
  environment: Environment,
): EnvironmentAdapter {
  return makers[name](keys, environment)
}

const makers = {
  calendly: (signingKey: string[], environment: Environment) =>
    calendly({
      signingKey,
      token: readVariable(environment, 'CALENDLY_API_TOKEN'),
      apiUrl: readVariable(environment, 'CALENDLY_API_URL'),
    }),
  calcom: (secret: string[], environment: Environment) =>
    calcom({
      secret,
      apiKey: readVariable(environment, 'CALCOM_API_KEY'),
      apiUrl: readVariable(environment, 'CALCOM_API_URL'),
    }),
  acuity: (apiKey: string[], environment: Environment) =>
    acuity({
      apiKey,
      userId: readVariable(environment, 'ACUITY_USER_ID'),
      apiUrl: readVariable(environment, 'ACUITY_API_URL'),
    }),
}

/** A provider whose requests would be answered with 404 because one of two variables was forgotten. */
function requireNothingBeside(environment: Environment, name: ProviderName): void {
  const { key, beside } = providerVariables[name]
  const orphan = beside.find(variable => environment[variable] !== undefined)
  if (orphan) throw invalidOption(`${orphan} is set, but ${key} is not. Set ${key}, or unset ${orphan}.`)
}

function noProvider(names: ProviderName[]): BookingWebhooksError {
  const keys = names.map(name => providerVariables[name].key)
  return invalidOption(
    `No provider is connected. Set ${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}: the key that the provider signs with.`,
  )
}
