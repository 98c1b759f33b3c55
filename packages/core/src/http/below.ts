/** The rest of a path below its mount; null where the mount is elsewhere. `/webhooks` is no mount of `/webhooks2`. */
export function below(mount: string, path: string): string | null {
  const base = mount.replace(/\/$/, '')
  if (!path.startsWith(base)) return null
  const rest = path.slice(base.length)
  return rest === '' || rest.startsWith('/') ? rest : null
}

/**
 * The mount of a handler that a router calls with the whole path: the part of the route's pattern before the first
 * parameter or provider. `/webhooks` for `/webhooks/:provider`, `/webhooks{/*rest}` and `/webhooks/calendly`.
 */
export function mountOfRoute(pattern: string, providers: readonly string[]): string {
  const segments = pattern.replaceAll('{/', '/{').split('/')
  const end = segments.findIndex(segment => /[:*{(?+[\\]/.test(segment) || providers.includes(segment))
  return (end === -1 ? segments : segments.slice(0, end)).join('/')
}
