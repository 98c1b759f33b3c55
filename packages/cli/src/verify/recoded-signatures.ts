/** Headers with the signature written in another way, and how it is written now. */
export type Recoded = [headers: Headers, how: string]

/** `v1=` belongs to the header's own form; `sha256=` may, or may have been put in front. */
const digest = /(sha256=|v\d=)?([0-9A-Fa-f]{64}|[A-Za-z0-9+/_-]{43}=?)(?![A-Za-z0-9+/=_-])/

/** A SHA-256 as hex for base64, base64 for hex, and with or without a prefix. */
export function* recodedSignatures(given: Headers): Generator<Recoded> {
  for (const [name, value] of given) {
    const [whole, prefix = '', digits] = (name.includes('signature') && digest.exec(value)) || []
    if (whole === undefined || digits === undefined) continue
    const isHex = digits.length === 64
    const bytes = Buffer.from(digits, isHex ? 'hex' : 'base64')
    for (const kept of new Set([prefix, '', 'sha256=']))
      for (const encoding of ['hex', 'base64'] as const) {
        const headers = new Headers(given)
        headers.set(name, value.replace(whole, `${kept}${bytes.toString(encoding)}`))
        yield [headers, written({ isHex, prefix: kept === prefix ? null : prefix })]
      }
  }
}

function written({ isHex, prefix }: { isHex: boolean; prefix: string | null }): string {
  const encoding = isHex ? 'written in hex' : 'written in base64'
  if (prefix === null) return `${encoding}, which this provider does not do`
  return prefix === '' ? `${encoding} without its prefix` : `${encoding} with "${prefix}" in front`
}
