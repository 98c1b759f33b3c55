import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Inbox, Reply } from '@booking-webhooks/core'
import type { FrameworkUnderTest, Run } from '../framework-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { send } from './client.js'

/** The table of answers. */
export function answersContract(
  { describe, it }: TestFunctions,
  run: Run,
  { body, sign }: FrameworkUnderTest,
): void {
  describe('answers', () => {
    it('200 once a signed delivery is stored', () =>
      run(async ({ port, path, inbox }) => {
        const answer = await send(port, { path, headers: sign(body(1)), body: body(1) })
        deepEqual([answer.status, answer.body], [200, ''])
        equal((await inbox.events()).rows.length, 1)
      }))

    it('200 to a repeat, which is one event', () =>
      run(async ({ port, path, inbox }) => {
        for (const n of [1, 1, 2])
          equal((await send(port, { path, headers: sign(body(n)), body: body(n) })).status, 200)
        const { rows } = await inbox.events()
        deepEqual(rows.map(row => row.deliveries).sort(), [1, 2])
      }))

    it('200 to signed bytes that make no sense', () =>
      run(async ({ port, path }) => {
        for (const bytes of [Buffer.from('no json'), Buffer.from([0xff, 0xfe, 0, 0x80]), Buffer.from('null')])
          equal((await send(port, { path, headers: sign(bytes), body: bytes })).status, 200)
      }))

    it('401 that tells nothing to whom its provider did not sign, and to an unknown account', () =>
      run(async ({ port, path, inbox }) => {
        const refused = [
          await send(port, { path, body: body(1) }),
          await send(port, { path, headers: sign(body(1)), body: body(2) }),
          await send(port, { path, headers: { ...sign(body(1)) } }),
          await send(port, { path: `${path}/nobody`, headers: sign(body(1)), body: body(1) }),
        ]
        for (const answer of refused) deepEqual([answer.status, answer.body], [401, ''])
        equal(new Set(refused.map(({ headers }) => Object.keys(headers).sort().join())).size, 1)
        equal((await inbox.events()).rows.length, 0)
      }))

    it('what the adapter itself replies, as it is', () => {
      const replies: Reply[] = [
        { status: 200, headers: { 'content-type': 'application/json' }, body: '{"plainToken":"Zoë"}' },
        { status: 204, headers: { 'x-challenge': 'abc' }, body: '' },
      ]
      const sent = [...replies]
      return run(
        async ({ port, path }) => {
          for (const { status, headers, body: text } of replies) {
            const answer = await send(port, { path, body: body(1) })
            deepEqual([answer.status, answer.body], [status, text])
            for (const [name, value] of Object.entries(headers)) equal(answer.headers[name], value)
          }
        },
        {},
        inbox => ({ ...inbox, receive: async () => sent.shift() ?? null }),
      )
    })

    it('405 with Allow to every other method', () =>
      run(async ({ port, path }) => {
        for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
          for (const at of [path, `${path}/`, `${path}/acme`, '/webhooks']) {
            const answer = await send(port, { method, path: at })
            deepEqual([method, at, answer.status, answer.headers.allow], [method, at, 405, 'POST'])
          }
      }))

    it('413 to a body over the limit, whether its length is announced or not', () =>
      run(
        async ({ port, path, inbox }) => {
          const large = Buffer.alloc(300_000, 'x')
          equal((await send(port, { path, headers: sign(large), body: large })).status, 413)
          const pieces = [large.subarray(0, 150_000), large.subarray(150_000)]
          equal((await send(port, { path, headers: sign(large), body: pieces })).status, 413)
          equal((await inbox.events()).rows.length, 0)
        },
        { maxBodyBytes: 200_000 },
      ))

    it('200 to a body that is exactly as large as the limit', () =>
      run(
        async ({ port, path }) => {
          const large = Buffer.alloc(200_000, 'x')
          equal((await send(port, { path, headers: sign(large), body: large })).status, 200)
        },
        { maxBodyBytes: 200_000 },
      ))

    it('503 with Retry-After until the inbox has started, then 200', () => {
      let isDown = true
      const flaky = (inbox: Inbox): Inbox => ({
        ...inbox,
        start: () => (isDown ? Promise.reject(new Error('down')) : inbox.start()),
      })
      return run(
        async ({ port, path, lines }) => {
          const delivery = { path, headers: sign(body(1)), body: body(1) }
          const refused = await send(port, delivery)
          equal(refused.status, 503)
          ok(Number(refused.headers['retry-after']) > 0)
          ok(lines.some(({ level, message }) => level === 'error' && message === 'not started'))
          isDown = false
          let status = 503
          while (status === 503) status = (await send(port, delivery)).status
          equal(status, 200)
        },
        {},
        flaky,
      )
    })

    it('each delivery within a second while subscribers are slow', () => {
      let isCalled = false
      let release = () => {}
      const released = new Promise<void>(resolve => {
        release = resolve
      })
      const subscriber = () => {
        isCalled = true
        return released
      }
      return run(
        async ({ port, path }) => {
          for (const n of [1, 2, 3, 4, 5]) {
            const began = performance.now()
            equal((await send(port, { path, headers: sign(body(n)), body: body(n) })).status, 200)
            ok(performance.now() - began < 1000)
            while (!isCalled) await new Promise(wake => setTimeout(wake, 5))
          }
          release()
        },
        { subscriber },
      ).finally(release)
    })

    it('503 within a second while the start hangs', () => {
      const hung = (inbox: Inbox): Inbox => ({ ...inbox, start: () => new Promise(() => {}) })
      return run(
        async ({ port, path }) => {
          const began = performance.now()
          equal((await send(port, { path, headers: sign(body(1)), body: body(1) })).status, 503)
          ok(performance.now() - began < 1000)
        },
        {},
        hung,
      )
    })
  })
}
