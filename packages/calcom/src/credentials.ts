import { type AccountKeys, accountKeys, invalidOption, isBookingWebhooksError } from '@booking-webhooks/core'
import { passingFailure, type Waits } from './failure.js'

/** An OAuth or managed user's access token for the account. `isRefused` is true where Cal.com has just answered 401 to the last one. */
export type GetToken = (account: string, about: { isRefused: boolean }) => string | Promise<string>

/** A platform's OAuth client. */
export interface Platform {
  clientId: string
  secretKey: string
}

export interface Credentials {
  apiKey: AccountKeys
  getToken: GetToken | undefined
  platform: Platform | undefined
}

/** Gives the headers that open the API for an account; null where there are none, or where refused ones have no others. */
export type Authorize = (account: string, about: Asking) => Promise<Record<string, string> | null>

export interface Asking {
  /** True where Cal.com has just answered 401 to the headers given before. */
  isRefused: boolean
  waits: Waits
}

/** Chooses between an API key, a token and a platform's client; null where none is set. https://cal.com/docs/api-reference/v2/introduction */
export function authorize({ apiKey, getToken, platform }: Credentials): Authorize | null {
  if ([apiKey, getToken, platform].filter(setting => setting !== undefined).length > 1)
    throw invalidOption('calcom({ apiKey, getToken, platform }) takes one of them. Leave out the others.')
  if (getToken !== undefined)
    return async (account, asking) => bearer(await tokenOf(getToken, account, asking))
  if (platform !== undefined) return fixed(platformHeaders(platform))
  if (apiKey === undefined) return null
  const keys = accountKeys(apiKey, { setting: 'calcom({ apiKey })', variable: 'CALCOM_API_KEY' })
  return async (account, { isRefused, waits }) => {
    const key = (await asked(keys, account, waits))?.[0]
    return isRefused || key === undefined ? null : bearer(key)
  }
}

async function asked(keys: ReturnType<typeof accountKeys>, account: string, waits: Waits) {
  try {
    return await keys(account)
  } catch (error) {
    // As below; but the library's own error says what is wrong with the key that was returned, without repeating it.
    const isOurs = isBookingWebhooksError(error, 'INVALID_OPTION')
    throw passingFailure(isOurs ? error.message : 'calcom({ apiKey }) threw.', waits)
  }
}

function fixed(headers: Record<string, string>): Authorize {
  return async (_, { isRefused }) => (isRefused ? null : headers)
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

function platformHeaders({ clientId, secretKey }: Platform): Record<string, string> {
  for (const [name, value] of Object.entries({ clientId, secretKey }))
    if (!isHeaderText(value)) throw invalidOption(`calcom({ platform: { ${name} } }) is required, as text.`)
  return { 'x-cal-client-id': clientId, 'x-cal-secret-key': secretKey }
}

async function tokenOf(getToken: GetToken, account: string, { isRefused, waits }: Asking): Promise<string> {
  let token: unknown
  try {
    token = await getToken(account, { isRefused })
  } catch {
    // What it threw is not passed on: it may hold the token, or what the token was asked for with.
    throw passingFailure('calcom({ getToken }) threw.', waits)
  }
  if (!isHeaderText(token)) throw passingFailure('calcom({ getToken }) returned no token.', waits)
  return token
}

function isHeaderText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}
