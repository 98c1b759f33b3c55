export { databaseFrom } from './database.js'
export { forwardFrom } from './forward.js'
export {
  type EnvironmentAdapter,
  type ProviderName,
  providersFrom,
  providerVariables,
  providerWith,
} from './providers.js'
export { type Environment, readKeys, readVariable } from './read-variable.js'
