import { calendly } from '@booking-webhooks/calendly'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { signingKey, type Workbench, workbench } from '../support/workbench.js'

describe('a function for keys', () => {
  let bench: Workbench
  afterEach(() => bench.close())

  it('that throws costs no delivery: it is asked for again, and the log says why without what was thrown', async () => {
    let asked = 0
    const vault = () => {
      if (++asked === 1) throw Object.assign(new Error('refused token hvs.x'), { code: 'ECONNREFUSED' })
      return signingKey
    }
    bench = workbench({ providers: [calendly({ signingKey: vault })] })
    const delivery = calendlyDelivery({ key: signingKey, event: 'invitee.created' })
    const reply = await bench.deliver(delivery)
    expect(reply.status).to.equal(503)
    expect(reply.headers).to.have.property('retry-after')
    const [line] = bench.lines.filter(({ level }) => level === 'error')
    expect(line).to.include({ message: 'not stored', code: 'KEYS_UNAVAILABLE', status: 503 })
    expect(line.reason).to.contain('keys of calendly threw (Error (ECONNREFUSED))')
    expect(JSON.stringify(bench.lines)).to.not.contain('hvs.')
    expect((await bench.deliver(delivery)).status).to.equal(200)
  })
})
