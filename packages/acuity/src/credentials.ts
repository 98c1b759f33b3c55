import { type AccountKeys, accountKeys, invalidOption, isBookingWebhooksError } from '@booking-webhooks/core'
import { passingFailure } from './failure.js'

/**
 * An OAuth access token for the account, null for an account that has none. `isRefused` is true where Acuity has just
 * answered 401 to the one given before: refresh it then.
 */
export type GetToken = (
  account: string,
  about: { isRefused: boolean },
) => string | null | Promise<string | null>

export interface Credentials {
  /** The accounts' signing keys: the first of each is also the API's password of its user. */
  keys(account: string): readonly string[] | null | Promise<readonly string[] | null>
  userId: AccountKeys
  getToken: GetToken | undefined
}

/** Gives the `Authorization` header for an account; null without credentials, or where a refused one has no other. */
export type Authorize = (account: string, isRefused: boolean) => Promise<string | null>

/** Chooses between Basic, with the numeric user id, and Bearer; null where neither is set. */
export function authorize({ keys, userId, getToken }: Credentials): Authorize | null {
  if (getToken !== undefined && userId !== undefined)
    throw invalidOption('acuity({ userId, getToken }) cannot have both. Leave out userId for an OAuth app.')
  if (getToken !== undefined) return (account, isRefused) => bearer(getToken, account, isRefused)
  if (userId === undefined) return null
  const userIds = accountKeys(userId, {
    setting: 'acuity({ userId })',
    variable: 'ACUITY_USER_ID',
    refuse: id => (/^\d+$/.test(id) ? null : 'it is not the number on the Integrations page'),
  })
  return async (account, isRefused) => {
    const user = await firstOf(userIds, 'userId', account)
    const key = await firstOf(keys, 'apiKey', account)
    if (isRefused || user === undefined || key === undefined) return null
    return `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`
  }
}

async function firstOf(
  keys: Credentials['keys'],
  setting: 'userId' | 'apiKey',
  account: string,
): Promise<string | undefined> {
  try {
    return (await keys(account))?.[0]
  } catch (error) {
    // The library's own words on what was returned are clean; what a function threw may hold the key.
    throw passingFailure(
      isBookingWebhooksError(error, 'INVALID_OPTION') ? error.message : `acuity({ ${setting} }) threw.`,
    )
  }
}

async function bearer(getToken: GetToken, account: string, isRefused: boolean): Promise<string | null> {
  let token: unknown
  try {
    token = await getToken(account, { isRefused })
  } catch {
    // What it threw is not passed on: it may hold the token, or what the token was asked for with.
    throw passingFailure('acuity({ getToken }) threw.')
  }
  if (token === null) return null
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw passingFailure('acuity({ getToken }) returned no token.')
  return `Bearer ${token}`
}
