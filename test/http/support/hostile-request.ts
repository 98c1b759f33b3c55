import { deflateSync, gzipSync } from 'node:zlib'
import type { Step } from '@booking-webhooks/conformance'
import fc from 'fast-check'
import { body } from './ground.js'
import { hostileHead, signed } from './hostile-head.js'

const bomb = gzipSync(Buffer.alloc(5_000_000), { level: 1 })

const content = fc.oneof(
  fc.constantFrom<Uint8Array>(
    body(1),
    gzipSync(body(1)),
    deflateSync(body(1)),
    bomb,
    gzipSync(bomb),
    bomb.subarray(0, 500),
    Buffer.from('5\r\nhello\r\n0\r\n\r\n'),
    Buffer.from('ffffffffffffffff\r\nhello\r\n'),
    Buffer.from('5;extension=yes\r\nhello\r\n0\r\ntrailer: yes\r\n\r\n'),
    Buffer.from('-5\r\nhello\r\n'),
    Buffer.alloc(0),
    Buffer.alloc(300_000, 'x'),
  ),
  fc.uint8Array({ maxLength: 2000 }),
)

/** A request that means harm, or is broken, or neither. */
const request = fc
  .tuple(hostileHead, content)
  .map(([head, content]) => Buffer.concat([Buffer.from(head, 'latin1'), content]))

/** A request with an honest head, so that its body is read. */
const readable = fc
  .record({
    headers: fc.constantFrom([], [], ['content-encoding: gzip'], ['content-encoding: deflate']),
    content: fc.oneof(fc.constant(body(1)), content),
  })
  .map(({ headers, content }) =>
    Buffer.concat([
      Buffer.from(
        [
          'POST /webhooks/calendly HTTP/1.1',
          'host: localhost',
          `content-length: ${content.length}`,
          ...signed,
          ...headers,
          '',
          '',
        ].join('\r\n'),
      ),
      content,
    ]),
  )

const ending = fc.constantFrom<Step>('end', 'end', 'end', 'reset')

/** What a client does on one connection: says it at once, in pieces, or several times over; then it ends or is gone. */
export const hostileRequest: fc.Arbitrary<Step[]> = fc.oneof(
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 4000 }), ending)
    .map(([bytes, last]): Step[] => [bytes, last]),
  fc.tuple(fc.oneof(request, readable), ending).map(([bytes, last]): Step[] => [bytes, last]),
  fc
    .tuple(
      fc.oneof(request, readable),
      fc.array(fc.nat({ max: 400 }), { maxLength: 5 }),
      fc.nat({ max: 30 }),
      ending,
    )
    .map(([bytes, cuts, pause, last]) => [
      ...pieces(bytes, cuts).flatMap((piece): Step[] => [piece, pause]),
      last,
    ]),
  fc
    .tuple(fc.array(fc.oneof(request, readable), { minLength: 2, maxLength: 12 }), ending)
    .map(([all, last]): Step[] => [Buffer.concat(all), last]),
  // Stops in the middle and waits for what the server does.
  fc
    .tuple(readable, fc.nat({ max: 60 }))
    .map(([bytes, missing]): Step[] => [bytes.subarray(0, bytes.length - missing), 300, 'end']),
)

function pieces(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const at = [0, ...cuts.filter(cut => cut < bytes.length).sort((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}
