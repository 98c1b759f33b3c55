import { invalidOption } from '@booking-webhooks/core'

/** Where a delivery goes: the given URL itself where it names the provider, else `/<provider>` below it. */
export function endpoint(url: string, provider: string, path: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw invalidOption('<url> must be a whole URL, such as http://127.0.0.1:3000/webhooks.')
  const target = new URL(url)
  if (!target.pathname.split('/').includes(provider))
    target.pathname = `${target.pathname.replace(/\/+$/, '')}${path}`
  return target.href
}
