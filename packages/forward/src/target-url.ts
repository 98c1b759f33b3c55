import { invalidOption } from '@booking-webhooks/core'

/** The target's URL, or INVALID_OPTION for what cannot be posted to. The message never repeats the URL: it may hold a token. */
export function targetUrl(url: string | URL | undefined): URL {
  if (!url) throw invalidOption('forward({ url }) is required. Is FORWARD_URL set?')
  const target = URL.canParse(String(url)) ? new URL(url) : null
  if (target?.protocol !== 'http:' && target?.protocol !== 'https:')
    throw invalidOption('forward({ url }) must be a whole URL that begins with https:// or http://.')
  if (target.username !== '' || target.password !== '')
    throw invalidOption(
      'forward({ url }) must not hold a user name or password. Events are signed: let the target verify webhook-signature.',
    )
  return target
}
