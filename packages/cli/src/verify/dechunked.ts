/** The chunks of a chunked body, joined (RFC 9112, 7.1); a body that only says it is chunked stays as it is. */
export function dechunked(body: Buffer): Uint8Array {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const line = /^([0-9a-f]{1,8})[^\r\n]*\r?\n/i.exec(body.toString('latin1', at, at + 256))
    if (!line) return body
    const start = at + line[0].length
    const length = Number.parseInt(line[1] ?? '', 16)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(body.subarray(start, start + length))
    at = start + length + (body[start + length] === 0x0d ? 2 : 1)
  }
}
