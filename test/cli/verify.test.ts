import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { acuitySignature } from '@booking-webhooks/acuity/testing'
import { calcomSignature } from '@booking-webhooks/calcom/testing'
import { calendlySignature } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { command } from './command.js'
import { runHere } from './run-here.js'

const key = 'calendly-test-key-one-not-a-secret'
const signedAt = new Date('2026-09-21T14:13:20Z')
const body = '{"event":"invitee.created","created_at":"2026-09-21T14:13:20.000000Z"}'

interface Captured {
  head?: string[]
  signed?: string | Uint8Array
  kept?: string | Uint8Array
  signature?: string
}

/** A request as captured: what was signed and what was kept may differ. */
function captured({ head, signed = body, kept = signed, signature }: Captured): Buffer {
  const bytes = Buffer.from(kept)
  const header = signature ?? calendlySignature(key, Buffer.from(signed), signedAt)
  const lines = head ?? [
    'POST /webhooks/calendly HTTP/1.1',
    'Host: example.com',
    'Content-Type: application/json',
    `Calendly-Webhook-Signature: ${header}`,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes])
}

let directory: string
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'booking-webhooks-verify-'))
})
after(() => rm(directory, { recursive: true }))

async function fileOf(request: Uint8Array): Promise<string> {
  const file = join(directory, 'request.http')
  await writeFile(file, request)
  return file
}

async function verdict(
  request: Uint8Array,
  given: { args?: string[]; environment?: Record<string, string> } = {},
): Promise<{ verdict: string; advice: string }> {
  const { args = [], environment = { CALENDLY_SIGNING_KEY: key } } = given
  const options = ['--provider', 'calendly', '--at', '2026-09-21T14:14:00Z', '--json', ...args]
  const { code, stdout, stderr } = await runHere(['verify', ...options, await fileOf(request)], environment)
  expect(stderr).to.equal('')
  const { verdict, advice } = JSON.parse(stdout)
  expect(code).to.equal(verdict === 'ok' ? 0 : 1)
  return { verdict, advice }
}

describe('booking-webhooks verify', () => {
  it('says ok for what the provider signed', async () => {
    expect(await verdict(captured({}))).to.deep.equal({
      verdict: 'ok',
      advice: 'The provider signed these bytes with the key.',
    })
  })

  it('says which of several keys fits', async () => {
    const environment = { CALENDLY_SIGNING_KEY: `another-key-of-theirs, ${key}` }
    expect((await verdict(captured({}), { environment })).advice).to.contain('key 2 of 2')
  })

  it('says missing-header', async () => {
    const head = ['POST /webhooks/calendly HTTP/1.1', 'Host: example.com']
    expect(await verdict(captured({ head }))).to.have.property('verdict', 'missing-header')
  })

  it('says malformed', async () => {
    expect(await verdict(captured({ signature: 't=soon,v1=1' }))).to.have.property('verdict', 'malformed')
  })

  it('says stale for a clock that is off, and by how much', async () => {
    const late = await verdict(captured({}), { args: ['--at', '2026-09-24T14:13:20Z'] })
    expect(late.verdict).to.equal('stale')
    expect(late.advice).to.contain('259200 s ago')
  })

  it('says stale for a request on standard input that was kept for long', async () => {
    const { stdout } = await command(['verify', '--provider', 'calendly', '-'], {
      environment: { CALENDLY_SIGNING_KEY: key },
      input: captured({ signature: calendlySignature(key, Buffer.from(body), new Date(1_000_000)) }),
    })
    expect(stdout).to.match(/^stale: /)
  })

  it('says wrong-key, and never shows the key', async () => {
    const { verdict: said, advice } = await verdict(captured({}), {
      environment: { CALENDLY_SIGNING_KEY: 'some-other-key-of-mine' },
    })
    expect(said).to.equal('wrong-key')
    expect(advice).not.to.contain('some-other')
  })

  it('says where a key was mixed up with that of another provider', async () => {
    const environment = { CALENDLY_SIGNING_KEY: 'some-other-key-of-mine', ACUITY_API_KEY: key }
    const { verdict: said, advice } = await verdict(captured({}), { environment })
    expect([said, advice.includes('ACUITY_API_KEY')]).to.deep.equal(['wrong-key', true])
  })

  it('says which slip is in a pasted key', async () => {
    const quoted = await verdict(captured({}), { args: ['--key', `"${key}"`] })
    expect(quoted).to.include({ verdict: 'wrong-key' })
    expect(quoted.advice).to.contain('quotes')
  })

  for (const [title, signed, kept] of [
    ['an unescaped &', '{"a":"IT \\u0026 Software"}', '{"a":"IT & Software"}'],
    ['a number without its fraction', '{"payment":{"amount":50.0}}', '{"payment":{"amount":50}}'],
    ['unescaped slashes', '{"a":"b\\/c"}', '{"a":"b/c"}'],
    ['unescaped letters', '{"name":"Zo\\u00eb"}', '{"name":"Zoë"}'],
    ['added blanks', body, JSON.stringify(JSON.parse(body), null, 2)],
    ['removed blanks', '{"a": [1, {"b": 2}]}', '{"a":[1,{"b":2}]}'],
    ['a line break at the end', body, `${body}\n`],
    ['a lost line break at the end', `${body}\n`, body],
    ['other line breaks', 'a=1\r\nb=2', 'a=1\nb=2'],
  ] as const)
    it(`says reserialized for ${title}`, async () => {
      const said = await verdict(captured({ signed, kept }))
      expect(said).to.include({ verdict: 'reserialized' })
      expect(said.advice).to.contain('before any body parser')
    })

  it('says reserialized where the length shows that the body was changed beyond repair', async () => {
    const head = [
      'POST / HTTP/1.1',
      'Content-Length: 70',
      `Calendly-Webhook-Signature: ${calendlySignature(key, Buffer.from(body), signedAt)}`,
    ]
    expect(await verdict(captured({ head, kept: '{"created_at":1}' }))).to.include({
      verdict: 'reserialized',
    })
  })

  const umlaut = '{"name":"Zoë"}'
  for (const [title, kept] of [
    ['Latin-1', Buffer.from(umlaut, 'latin1')],
    ['UTF-8 twice', Buffer.from(Buffer.from(umlaut).toString('latin1'))],
    ['UTF-16', Buffer.from(umlaut, 'utf16le')],
    ['base64', Buffer.from(Buffer.from(umlaut).toString('base64'))],
    ['letters and accents apart', Buffer.from(umlaut.normalize('NFD'))],
    ['a byte order mark', Buffer.from(`\ufeff${umlaut}`)],
  ] as const)
    it(`says wrong-encoding for a body kept as ${title}`, async () => {
      expect(await verdict(captured({ signed: umlaut, kept }))).to.include({ verdict: 'wrong-encoding' })
    })

  for (const [title, encoded] of [
    ['base64', Buffer.from(key).toString('base64')],
    ['hex', Buffer.from(key).toString('hex')],
  ] as const)
    it(`says wrong-encoding for a key in ${title}`, async () => {
      const said = await verdict(captured({}), { args: ['--key', encoded] })
      expect(said).to.include({ verdict: 'wrong-encoding' })
      expect(said.advice).to.contain(`decoded from ${title}`)
    })

  it('says wrong-encoding for a signature in base64 where hex is due', async () => {
    const right = calendlySignature(key, Buffer.from(body), signedAt)
    const signature = right.replace(/v1=(.*)/, (_, hex) => `v1=${Buffer.from(hex, 'hex').toString('base64')}`)
    expect(await verdict(captured({ signature }))).to.include({ verdict: 'wrong-encoding' })
  })

  it('reads what HTTP does to a body: lengths, chunks, gzip', async () => {
    const signature = `Calendly-Webhook-Signature: ${calendlySignature(key, Buffer.from(body), signedAt)}`
    const post = 'POST /webhooks/calendly HTTP/1.1'
    const half = body.slice(0, 20)
    const rest = body.slice(20)
    for (const [header, kept] of [
      ['Content-Length: 70', `${body}\nGET / HTTP/1.1\n\n`],
      ['Transfer-Encoding: chunked', `14\r\n${half}\r\n32;a=b\r\n${rest}\r\n0\r\n\r\n`],
      ['Content-Encoding: gzip', gzipSync(body)],
    ] as const)
      expect(await verdict(captured({ head: [post, header, signature], kept }))).to.include({ verdict: 'ok' })
  })

  it('reads a file whose lines end as editors leave them', async () => {
    const unix = captured({}).toString().replaceAll('\r\n', '\n')
    expect(await verdict(Buffer.from(unix))).to.include({ verdict: 'ok' })
  })

  describe('of the other providers', () => {
    const form = 'action=scheduled&id=1&x=a%20b'
    const json = '{"triggerEvent":"BOOKING_CREATED","name":"IT \\u0026 Zo\u00eb"}'
    const hex = (text: string) => calcomSignature(key, Buffer.from(text))
    const base64 = (text: string) => acuitySignature(key, Buffer.from(text))

    for (const [provider, header, kept, said] of [
      ['calcom', `X-Cal-Signature-256: ${hex(json)}`, json, 'ok'],
      ['calcom', 'X-Cal-Signature-256: no-secret-provided', json, 'missing-header'],
      ['calcom', `X-Cal-Signature-256: ${hex('{}')}`, json, 'wrong-key'],
      ['calcom', `X-Cal-Signature-256: ${hex(json)}`, JSON.stringify(JSON.parse(json)), 'reserialized'],
      ['calcom', `X-Cal-Signature-256: sha256=${hex(json)}`, json, 'wrong-encoding'],
      ['calcom', `X-Cal-Signature-256: ${base64(json)}`, json, 'wrong-encoding'],
      ['calcom', 'Accept: */*', json, 'missing-header'],
      ['acuity', `X-Acuity-Signature: ${base64(form)}`, form, 'ok'],
      ['acuity', `X-Acuity-Signature: ${base64(form)}`, form.replace('%20', '+'), 'reserialized'],
      [
        'acuity',
        `X-Acuity-Signature: ${base64(form)}`,
        '{"action":"scheduled","id":"1","x":"a b"}',
        'reserialized',
      ],
      ['acuity', `X-Acuity-Signature: ${base64('a=1&b=2')}`, '{"a":"1","b":"2"}', 'reserialized'],
      ['acuity', `X-Acuity-Signature: ${hex(form)}`, form, 'wrong-encoding'],
      ['acuity', `X-Acuity-Signature: ${base64(form).slice(0, -1)}`, form, 'wrong-encoding'],
      ['acuity', `X-Acuity-Signature: ${base64(form).slice(0, -2)}`, form, 'malformed'],
    ] as const)
      it(`says ${said} for ${provider} with ${header.split(':')[0]} over ${kept}`, async () => {
        const head = [`POST /webhooks/${provider} HTTP/1.1`, header]
        const args = ['verify', '--provider', provider, '--key', key, '--json']
        const { stdout } = await runHere([...args, await fileOf(captured({ head, kept }))])
        expect(JSON.parse(stdout)).to.include({ provider, verdict: said })
      })
  })

  for (const [title, args, input] of [
    ['no provider', [], captured({})],
    ['an unknown provider', ['--provider', 'doodle'], captured({})],
    ['a file that is not there', ['--provider', 'calendly', '/nonexistent/file'], captured({})],
    ['what is no HTTP request', ['--provider', 'calendly'], Buffer.from(body)],
    ['a response', ['--provider', 'calendly'], Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
  ] as const)
    it(`is used wrongly with ${title}`, async () => {
      const environment = { CALENDLY_SIGNING_KEY: key }
      const { code, stdout, stderr } = await runHere(
        ['verify', ...args, await fileOf(input)].slice(0, 4),
        environment,
      )
      expect([code, stdout]).to.deep.equal([2, ''])
      expect(stderr).not.to.equal('')
    })
})
