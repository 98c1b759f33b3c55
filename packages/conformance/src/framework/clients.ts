import { deepEqual, equal, ok } from 'node:assert/strict'
import type { FrameworkUnderTest, Run, Running } from '../framework-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { oneConnection, type Step, send, statuses, talk } from './client.js'

/** Clients that stop, crawl, go away or are in a hurry. */
export function clientsContract(
  { describe, it }: TestFunctions,
  runCold: Run,
  { body, sign }: FrameworkUnderTest,
): void {
  /** What a client does counts from when the store is open: the first delivery waits for that, its body unread. */
  const run: Run = (test, ...how) =>
    runCold(
      async running => {
        await running.inbox.start()
        await test(running)
      },
      ...how,
    )

  const head = (path: string, length: number, extra: Record<string, string> = {}, version = '1.1') =>
    [`POST ${path} HTTP/${version}`, 'host: localhost', `content-length: ${length}`]
      .concat(Object.entries({ ...sign(body(1)), ...extra }).map(([name, value]) => `${name}: ${value}`))
      .concat('', '')
      .join('\r\n')

  /** No row, a line in the log, and the next delivery is served. */
  async function cutOff({ port, path, inbox, lines }: Running): Promise<void> {
    await until(() => lines.some(({ fields }) => fields.code === 'BODY_CUT_OFF'))
    equal((await inbox.events()).rows.length, 0)
    equal((await send(port, { path, headers: sign(body(1)), body: body(1) })).status, 200)
  }

  describe('clients', () => {
    for (const leave of ['end', 'reset'] as const)
      it(`that go away in the middle of a body (${leave}) leave a line and no row`, () =>
        run(async running => {
          const { port, path } = running
          await talk(port, [head(path, body(1).length), body(1).subarray(0, 10), 20, leave])
          await cutOff(running)
        }))

    it('that go away while their delivery is stored leave a row', () => {
      let arrived = () => {}
      const arrival = new Promise<void>(resolve => {
        arrived = resolve
      })
      return run(
        async ({ port, path, inbox }) => {
          const gone = talk(port, [head(path, body(1).length), body(1), 30, 'reset'])
          await arrival
          await gone
          await until(async () => (await inbox.events()).rows.length === 1)
          equal((await send(port, { path, headers: sign(body(1)), body: body(1) })).status, 200)
        },
        {},
        inbox => ({
          ...inbox,
          async receive(...given) {
            arrived()
            await new Promise(wake => setTimeout(wake, 60))
            return inbox.receive(...given)
          },
        }),
      )
    })

    it('that stop in the middle of a body are cut off', () =>
      run(
        async running => {
          const { port, path } = running
          const heard = await talk(port, [head(path, body(1).length), body(1).subarray(0, 10)])
          deepEqual(statuses(heard), [408])
          ok(/^connection: close/im.test(heard))
          await cutOff(running)
        },
        { bodyTimeoutMs: 100 },
      ))

    it('that send a byte at a time are cut off', () =>
      run(
        async running => {
          const { port, path } = running
          const crawl: Step[] = [...body(1)].flatMap(byte => [Uint8Array.of(byte), 10])
          deepEqual(statuses(await talk(port, [head(path, body(1).length), ...crawl])), [408])
          await cutOff(running)
        },
        { bodyTimeoutMs: 100 },
      ))

    it('that send a body over the limit without end are cut off', () =>
      run(
        async ({ port, path }) => {
          const flood: Step[] = Array.from({ length: 400 }, () => [Buffer.alloc(10_000), 5]).flat()
          const began = performance.now()
          deepEqual(statuses(await talk(port, [head(path, 1e12), ...flood])), [413])
          ok(performance.now() - began < 1500)
        },
        { maxBodyBytes: 100_000, bodyTimeoutMs: 100 },
      ))

    it('may keep their connection after 405, 413 and 415', () =>
      run(
        async ({ port, path }) => {
          const agent = oneConnection()
          const large = Buffer.alloc(300_000)
          const refused = [
            { method: 'PUT', path, body: large },
            { path, body: large },
            { path, body: [large, large] },
            { path, headers: { 'content-encoding': 'br' }, body: body(1) },
          ]
          for (const request of refused) {
            ok((await send(port, { ...request, agent })).status >= 400)
            const delivery = { path, headers: sign(body(1)), body: body(1), agent }
            equal((await send(port, delivery)).status, 200)
          }
          agent.destroy()
        },
        { maxBodyBytes: 100_000 },
      ))

    it('may ask before they send their body', () =>
      run(async ({ port, path }) => {
        const asked = head(path, body(1).length, { expect: '100-continue', connection: 'close' })
        deepEqual(statuses(await talk(port, [asked, 20, body(1)])), [200])
      }))

    it('may speak HTTP/1.0', () =>
      run(async ({ port, path }) => {
        deepEqual(statuses(await talk(port, [head(path, body(1).length, {}, '1.0'), body(1)])), [200])
      }))

    // Node closes such a connection at once, answered or not.
    it('that say all they will say before the answer leave a row', () =>
      run(async ({ port, path, inbox }) => {
        await talk(port, [head(path, body(1).length), body(1), 'end'])
        await until(async () => (await inbox.events()).rows.length === 1)
      }))

    it('may send several requests at once over one connection', () =>
      run(async ({ port, path }) => {
        const one = Buffer.concat([Buffer.from(head(path, body(1).length)), body(1)])
        const last = Buffer.concat([
          Buffer.from(head(path, body(1).length, { connection: 'close' })),
          body(1),
        ])
        deepEqual(statuses(await talk(port, [Buffer.concat([one, one, last])])), [200, 200, 200])
      }))
  })
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 1000
  while (!(await holds())) {
    ok(performance.now() < deadline, 'it did not happen within a second')
    await new Promise(wake => setTimeout(wake, 5))
  }
}
