import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Log } from '@booking-webhooks/core'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

const fails = (): never => {
  throw new RangeError('not for anybody')
}

describe('a log', () => {
  let bench: Workbench
  let said: string[]
  const unhandled: unknown[] = []
  const listen = (reason: unknown) => void unhandled.push(reason)
  const { write } = process.stderr
  beforeEach(() => {
    process.on('unhandledRejection', listen)
    said = []
    process.stderr.write = ((line: string) => said.push(line)) as never
  })
  afterEach(() => {
    process.off('unhandledRejection', listen)
    process.stderr.write = write
  })

  for (const [what, fail] of [
    ['throws', fails],
    ['rejects', async () => fails()],
  ] as const)
    it(`that ${what} changes nothing, and is named once, without what it said`, async () => {
      let runs = 0
      bench = workbench({
        log: { debug: fail, info: fail, warn: fail, error: fail },
        subscribers: {
          memory: {
            takes: ['*'],
            tell(_, { log }) {
              log.info('told')
              runs += 1
              if (runs === 1) throw new Error('down')
            },
          },
        },
      })
      expect((await bench.calendly({ event: 'invitee.created' })).status).to.equal(200)
      const forged = calendlyDelivery({ key: 'another-key-of-someone', event: 'invitee.created' })
      expect((await bench.deliver(forged)).status).to.equal(401)
      for (let round = 0; round < 100 && runs < 2; round += 1) {
        await new Promise(resolve => setTimeout(resolve, 5))
        await bench.inbox.drain()
      }
      expect((await bench.inbox.events({ status: 'done' })).rows).to.have.length(1)
      await bench.close()
      expect(unhandled).to.deep.equal([])
      expect(said.map(line => JSON.parse(line))).to.have.length(1)
      expect(said[0]).to.include('the log failed').and.include('RangeError').and.not.include('not for')
    })

  it('keeps its methods’ this', async () => {
    class Lines implements Log {
      lines: string[] = []
      debug(message: string) {
        this.lines.push(message)
      }
      info(message: string) {
        this.lines.push(message)
      }
      warn(message: string) {
        this.lines.push(message)
      }
      error(message: string) {
        this.lines.push(message)
      }
    }
    const log = new Lines()
    bench = workbench({ log })
    await bench.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created' }))
    await bench.inbox.drain()
    await bench.close()
    expect(log.lines).to.include('told')
  })

  for (const [lacks, log] of [
    ['debug, warn', { info() {}, error() {} }],
    ['info', { debug() {}, info: true, warn() {}, error() {} }],
    ['debug, info, warn, error', () => {}],
  ] as const)
    it(`is refused at creation where it lacks ${lacks}`, () => {
      expect(() => workbench({ log: log as never }))
        .to.throw(`log needs the methods debug, info, warn and error; it lacks ${lacks}.`)
        .with.property('code', 'INVALID_OPTION')
    })
})
