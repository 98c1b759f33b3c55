import { randomBytes } from 'node:crypto'
import { type Environment, type ProviderName, providerVariables, readKeys } from '../environment/index.js'

/** Providers that need nothing but a key. Acuity's requests mean nothing without its API. */
const demonstrable: readonly ProviderName[] = ['calendly', 'calcom']

export interface DemoEnvironment {
  environment: Environment
  /** The keys that were made, by variable. */
  made: ReadonlyMap<string, string>
}

/** The environment with a key for each provider that has none. */
export function withDemoKeys(environment: Environment): DemoEnvironment {
  const missing = demonstrable
    .map(name => providerVariables[name].key)
    .filter(variable => readKeys(environment, variable) === undefined)
  const made = new Map(missing.map(variable => [variable, `demo-${randomBytes(12).toString('hex')}`]))
  return { environment: { ...environment, ...Object.fromEntries(made) }, made }
}
