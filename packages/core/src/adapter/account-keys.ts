import { type BookingWebhooksError, invalidOption } from '../event/errors.js'

/** One key, or several that are all tried: while a key rotates, the old and the new one. */
export type Keys = string | readonly string[]

/**
 * Whose keys: those of the one account `default`; by account; or a function of the account, null for one that does not exist.
 * `undefined` is allowed by type so that `process.env.X` can be handed in, and refused at creation.
 */
export type AccountKeys =
  | Keys
  | undefined
  | Readonly<Record<string, Keys | undefined>>
  | ((account: string) => Keys | null | undefined | Promise<Keys | null | undefined>)

export interface AccountKeysOptions {
  /** The setting as the user typed it: `calendly({ signingKey })`. Named in every error. */
  setting: string
  /** The environment variable that usually holds it. */
  variable: string
  /** What is wrong with a key, as the end of a sentence ("it looks like …"), else null. */
  refuse?(key: string): string | null
  /** A monotonic clock in milliseconds. */
  now?(): number
}

/** How long a function's answer is kept: short enough that a new or revoked key counts soon, long enough to spare a database a storm. */
const keptMs = 10_000
/** Paths are chosen by whoever sends: more accounts than this are not remembered at once. */
const keptAccounts = 1_000

/**
 * Turns the keys setting of an adapter into `Adapter.keys`: null for an unknown account.
 * Throws INVALID_OPTION at creation for keys that cannot work; a function's answer is checked each time it is asked.
 */
export function accountKeys(
  setting: AccountKeys,
  options: AccountKeysOptions,
): (account: string) => readonly string[] | null | Promise<readonly string[] | null> {
  if (typeof setting === 'function') return rememberBriefly(setting, options)
  if (setting === undefined || setting === null) throw missing(options)
  if (typeof setting === 'string' || Array.isArray(setting)) {
    const keys = checkedKeys(setting as Keys, options, '')
    return account => (account === 'default' ? keys : null)
  }
  const byAccount = new Map(
    Object.entries(setting).map(([account, keys]) => [
      account,
      checkedKeys(keys, options, ` for account ${JSON.stringify(account)}`),
    ]),
  )
  if (byAccount.size === 0) throw missing(options)
  return account => byAccount.get(account) ?? null
}

function rememberBriefly(
  ask: Extract<AccountKeys, (account: string) => unknown>,
  options: AccountKeysOptions,
): (account: string) => Promise<readonly string[] | null> {
  const now = options.now ?? (() => performance.now())
  const kept = new Map<string, { untilMs: number; keys: Promise<readonly string[] | null> }>()
  return account => {
    const known = kept.get(account)
    if (known && now() < known.untilMs) return known.keys
    const keys = answer(ask, account, options)
    kept.delete(account)
    kept.set(account, { untilMs: now() + keptMs, keys })
    if (kept.size > keptAccounts) kept.delete(kept.keys().next().value as string)
    keys.catch(() => {
      if (kept.get(account)?.keys === keys) kept.delete(account)
    })
    return keys
  }
}

async function answer(
  ask: Extract<AccountKeys, (account: string) => unknown>,
  account: string,
  options: AccountKeysOptions,
): Promise<readonly string[] | null> {
  const keys = await ask(account)
  return keys === null || keys === undefined
    ? null
    : checkedKeys(keys, options, ` for account ${JSON.stringify(account)}`)
}

function checkedKeys(keys: Keys | undefined, options: AccountKeysOptions, whose: string): readonly string[] {
  const list: readonly unknown[] = Array.isArray(keys) ? [...keys] : [keys]
  if (list.length === 0 || list.includes(undefined) || list.includes(null)) throw missing(options, whose)
  for (const key of list) {
    if (typeof key === 'string' && key.trim() === '')
      throw invalidOption(`${options.setting}${whose} is empty. Is ${options.variable} set?`)
    const wrong = problemOf(key) ?? options.refuse?.(key as string)
    if (wrong) throw invalidOption(`${options.setting}${whose} cannot be right: ${wrong}.`)
  }
  return list as readonly string[]
}

function problemOf(key: unknown): string | null {
  if (typeof key !== 'string') return 'it is not a string'
  if (key.trim() !== key) return 'it begins or ends with white space, as pasted text does. Remove that'
  return null
}

function missing(options: AccountKeysOptions, whose = ''): BookingWebhooksError {
  return invalidOption(`${options.setting}${whose} is required. Is ${options.variable} set?`)
}
