import { invalidOption } from '@booking-webhooks/core'
import type { Api } from './api.js'
import type { Authorize, Credentials } from './credentials.js'

/** How an adapter calls Acuity: the same limiter and the same credentials for everyone who works beside it. */
export interface Client {
  api: Api
  /** Null without credentials. */
  authorization: Authorize | null
  keys: Credentials['keys']
}

const clients = new WeakMap<object, Client>()

/** Keeps the client of an adapter, out of sight of whoever prints it. */
export function withClient<Of extends object>(adapter: Of, client: Client): Of {
  clients.set(adapter, client)
  return adapter
}

/** The client of what `acuity()` returned. Throws INVALID_OPTION for anything else, and without credentials. */
export function clientOf(adapter: object, caller: string): Client & { authorization: Authorize } {
  const client = clients.get(adapter)
  if (!client) throw invalidOption(`${caller} takes what acuity() returned, the very object.`)
  const { authorization } = client
  if (authorization === null)
    throw invalidOption(
      `${caller} asks the API: acuity({ userId }) or getToken is required. Is ACUITY_USER_ID set?`,
    )
  return { ...client, authorization }
}
