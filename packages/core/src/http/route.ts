export interface Route {
  provider: string
  account: string
}

/** The mount itself, `/<provider>` or `/<provider>/<account>`, each with one trailing slash or none. */
const shape = /^\/?(?:([^/]+)(?:\/([^/]+))?\/?)?$/

/**
 * Whose delivery a path below the mount receives (as sent: percent-encoded, without query); null where it is the app's.
 * The mount itself belongs to the one provider, where there is one.
 */
export function route(providers: readonly string[], path: string): Route | null {
  const [found, first, second] = shape.exec(path) ?? []
  if (found === undefined) return null
  if (first === undefined)
    return providers.length === 1 && providers[0] ? { provider: providers[0], account: 'default' } : null
  const provider = decode(first)
  const account = decode(second ?? 'default')
  if (provider === null || !providers.includes(provider)) return null
  return account === null ? null : { provider, account }
}

/** Null for what no account is named: a broken escape, a control character (databases refuse some), over 255 bytes. */
function decode(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment)
    return /\p{Cc}/u.test(text) || Buffer.byteLength(text) > 255 ? null : text
  } catch {
    return null
  }
}
