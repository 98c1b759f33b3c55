import fc from 'fast-check'
import { body, sign } from './ground.js'

/** The headers that a provider would send. */
export const signed = Object.entries(sign(body(1))).map(([name, value]) => `${name}: ${value}`)

const path = fc.oneof(
  fc.constantFrom(
    '/webhooks/calendly',
    '/webhooks',
    '/webhooks/calendly/',
    '/webhooks/calendly/nobody',
    '/webhooks/calendly/%00',
    '/webhooks/calendly/%E0%A4%A',
    '/webhooks//calendly',
    '/webhooks/../webhooks/calendly',
    '//webhooks/calendly',
    'http://evil.example.com/webhooks/calendly',
    '*',
    '/webhooks/__proto__/constructor',
    `/webhooks/calendly/${'a'.repeat(8000)}`,
    '/webhooks/calendly?a=%00&__proto__[x]=1',
    '/webhooks/calendly#fragment',
  ),
  fc.webPath().map(text => `/webhooks${text}`),
)
/** Mostly `usual`, so that most requests get past Node's parser. */
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 9): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })

const method = mostly(
  fc.constantFrom(
    'POST',
    'POST',
    'POST',
    'GET',
    'HEAD',
    'PUT',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PATCH',
    'PURGE',
  ),
  fc.constantFrom('CONNECT', 'post', 'NONSENSE', ''),
)
const version = mostly(
  fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'),
  fc.constantFrom('HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', ''),
)
const length: fc.Arbitrary<string[]> = mostly(
  fc.constantFrom('0', '1', '5', '30', '1000000', '999999999999999'),
  fc.constantFrom('99999999999999999999999', '-1', '1e3', '0x10', ' 12 ', '12, 12', 'many'),
).map(text => [`content-length: ${text}`])
const framing = mostly<string[]>(
  fc.oneof(length, fc.constant<string[]>(['transfer-encoding: chunked']), fc.constant<string[]>([])),
  fc.constant(['transfer-encoding: nonsense', 'content-length: 5']),
)
const header = mostly(
  fc.constantFrom(
    ...signed,
    'content-encoding: gzip',
    'content-encoding: deflate',
    'content-encoding: br',
    'content-encoding: gzip, gzip, gzip',
    'content-type: application/json; charset=klingon',
    'content-type: ;;;',
    'expect: 100-continue',
    'upgrade: websocket',
    'connection: upgrade',
    'connection: close',
    'connection: keep-alive, content-length',
    'x-http-method-override: DELETE',
    'x-forwarded-host: evil.example.com',
    'calendly-webhook-signature: \xe9',
    'calendly-webhook-signature:',
    `x-long: ${'a'.repeat(15_000)}`,
  ),
  fc.oneof(
    fc.constantFrom(
      'transfer-encoding: gzip, chunked',
      'expect: the unexpected',
      'cookie: a=b\x01',
      ': no name',
      'no colon',
      ' folded: yes',
      `x-longer: ${'a'.repeat(17_000)}`,
    ),
    fc.tuple(fc.string(), fc.string({ unit: 'binary' })).map(pair => pair.join(': ')),
  ),
  30,
)

/** The lines up to the blank one, broken in few of them. */
export const hostileHead: fc.Arbitrary<string> = fc
  .record({ method, path, version, framing, headers: fc.array(header, { maxLength: 6 }) })
  .map(({ method, path, version, framing, headers }) =>
    [`${method} ${path} ${version}`, 'host: localhost', ...framing, ...headers, '', ''].join('\r\n'),
  )
