import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Step, statuses, talk } from '@booking-webhooks/conformance'
import type { Inbox } from '@booking-webhooks/core'
import { bookingWebhooks } from '@booking-webhooks/core/node'
import { bookingWebhooks as expressWebhooks } from '@booking-webhooks/express'
import { bookingWebhooks as koaWebhooks } from '@booking-webhooks/koa'
import { expect } from 'chai'
import express from 'express'
import fc from 'fast-check'
import Koa from 'koa'
import mount from 'koa-mount'
import { body, ground, sign } from './support/ground.js'
import { hostileRequest } from './support/hostile-request.js'
import { listen } from './support/listen.js'
import { post } from './support/post.js'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** What Node's parser and the table of answers may say; 500 is for a body parser, 503 for a store, and there is neither. */
const documented = [200, 400, 401, 404, 405, 408, 413, 415, 417, 431]

const doors: Record<string, (inbox: Inbox) => Parameters<typeof listen>[0]> = {
  'node:http': inbox => bookingWebhooks(inbox, { path: '/webhooks' }),
  Express: inbox => express().set('env', 'test').use('/webhooks', expressWebhooks(inbox)),
  Koa: inbox => {
    const app = new Koa()
    app.silent = true
    return app.use(mount('/webhooks', koaWebhooks(inbox))).callback()
  },
}

describe('a thousand hostile requests', () => {
  const seed = Number(process.env.FUZZ_SEED ?? 1)

  for (const [index, [name, door]] of Object.entries(doors).entries())
    it(`neither stop nor fill ${name} (FUZZ_SEED=${seed})`, async () => {
      const { inbox, close, lines } = ground({ maxBodyBytes: 200_000, bodyTimeoutMs: 200 })
      const server = await listen(door(inbox))
      const requests = fc.sample(hostileRequest, { numRuns: 334, seed: seed + index })
      try {
        await assail(requests.splice(0, 60), server.port)
        const before = await memory()
        await assail(requests, server.port)
        lines.length = 0
        expect((await memory()) - before, 'bytes kept').to.be.lessThan(2_000_000)
        expect(
          (await post(server.port, '/webhooks', { body: body(1), headers: sign(body(1)) })).status,
        ).to.equal(200)
      } finally {
        await server.close()
        await close()
      }
    })
})

async function assail(requests: Step[][], port: number) {
  const queue = [...requests]
  const client = async (): Promise<void> => {
    for (let steps = queue.pop(); steps; steps = queue.pop()) {
      const heard = await Promise.race([
        talk(port, steps),
        new Promise<null>(wake => setTimeout(wake, 3000, null).unref()),
      ])
      const odd = heard === null ? 'no end after 3 s' : statuses(heard).find(one => !documented.includes(one))
      if (odd !== undefined) throw new Error(`${odd}: ${JSON.stringify(steps.map(String)).slice(0, 2000)}`)
    }
  }
  await Promise.all(Array.from({ length: 40 }, client))
}

/** What is held once the connections that ended are let go: the least of several looks. */
async function memory(): Promise<number> {
  const looks: number[] = []
  for (let look = 0; look < 5; look += 1) {
    await new Promise(resolve => setTimeout(resolve, 50))
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    looks.push(heapUsed + arrayBuffers)
  }
  return Math.min(...looks)
}
