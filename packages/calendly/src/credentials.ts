import { type AccountKeys, accountKeys, invalidOption, isBookingWebhooksError } from '@booking-webhooks/core'
import { type Asker, passingFailure } from './failure.js'

/**
 * An OAuth access token for the account, null for an account that has none. `isRefused` is true where Calendly has just
 * answered 401 to the one given before: refresh it then.
 */
export type GetToken = (
  account: string,
  about: { isRefused: boolean },
) => string | null | Promise<string | null>

export interface Credentials {
  token: AccountKeys
  getToken: GetToken | undefined
}

/** Gives a token for an account; null without one, or where a refused one has no other. */
export type Authorize = (account: string, about: Asking) => Promise<string | null>

interface Asking extends Asker {
  /** True where Calendly has just answered 401 to the token given before. */
  isRefused: boolean
}

/** Chooses between a fixed token and one that is asked for; null where neither is set. */
export function authorize({ token, getToken }: Credentials): Authorize | null {
  if (getToken !== undefined && token !== undefined)
    throw invalidOption('calendly({ token, getToken }) cannot have both. Leave out token for an OAuth app.')
  if (getToken !== undefined) return (account, asking) => asked(getToken, account, asking)
  if (token === undefined) return null
  const tokens = accountKeys(token, {
    setting: 'calendly({ token })',
    variable: 'CALENDLY_API_TOKEN',
    refuse: text => (isHeaderText(text) ? null : 'it holds what no header may'),
  })
  return async (account, asking) => (asking.isRefused ? null : tokenOf(tokens, account, asking))
}

async function tokenOf(
  tokens: ReturnType<typeof accountKeys>,
  account: string,
  asker: Asker,
): Promise<string | null> {
  try {
    return (await tokens(account))?.[0] ?? null
  } catch (error) {
    // The library's own words on what was returned are clean; what a function threw may hold the token.
    throw passingFailure(
      isBookingWebhooksError(error, 'INVALID_OPTION') ? error.message : 'calendly({ token }) threw.',
      asker,
    )
  }
}

async function asked(
  getToken: GetToken,
  account: string,
  { isRefused, ...asker }: Asking,
): Promise<string | null> {
  let token: unknown
  try {
    token = await getToken(account, { isRefused })
  } catch {
    // What it threw is not passed on: it may hold the token, or what the token was asked for with.
    throw passingFailure('calendly({ getToken }) threw.', asker)
  }
  if (token === null) return null
  if (!isHeaderText(token)) throw passingFailure('calendly({ getToken }) returned no token.', asker)
  return token
}

function isHeaderText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}
