/** The path of a request target, without query; also of the absolute form that a client may send to a proxy. */
export function pathOf(target: string | undefined): string {
  return (target ?? '/').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '').split('?', 1)[0] ?? ''
}
