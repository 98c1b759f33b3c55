import { join } from 'node:path'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { scene, until } from '../crash/members.js'
import { shortId, signingKey, type Workbench, workbench } from '../support/workbench.js'
import { heardAlerts, startTarget, startWorker, type Worker } from './workers.js'

const secret = `whsec_${Buffer.from('a secret of tests, 32 bytes long').toString('base64')}`

describe('two processes and a target that is down for a while', function () {
  this.timeout(90_000)
  let stage: ReturnType<typeof scene>
  let target: Awaited<ReturnType<typeof startTarget>>
  let bench: Workbench
  let workers: Worker[]
  beforeEach(async () => {
    stage = scene()
    target = await startTarget()
    workers = []
    bench = workbench({ database: stage.sqlite, subscribers: {} })
  })
  afterEach(async () => {
    await Promise.all(workers.map(worker => worker.stop()))
    await bench.close()
    await target.stop()
    stage.remove()
  })

  const alerts = () => join(stage.directory, 'alerts')
  const heard = () =>
    heardAlerts(alerts()).map(({ kind, consecutiveFailures }) => `${kind} ${consecutiveFailures}`)

  async function start(count: number, diesBeforeHandOver = false): Promise<void> {
    const options = { database: stage.sqlite, signingKey, target: target.url, secret, alerts: alerts() }
    const started = Array.from({ length: count }, () => startWorker({ ...options, diesBeforeHandOver }))
    workers.push(...started)
    await Promise.all(started.map(worker => worker.ready))
  }

  /** A booking, and that its person did not come. */
  async function book(number: number): Promise<void> {
    const invitee = { id: `IN${number}`, meeting: `EV${number}`, hosts: [`US${number}`] }
    await bench.deliver(calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee }))
    await bench.deliver(
      calendlyDelivery({ key: signingKey, event: 'invitee_no_show.created', invitee, noShow: `NS${number}` }),
    )
  }

  const taken = () => target.asked.filter(one => one.isTaken)
  const takenOf = (number: number) =>
    taken().flatMap(one => (shortId(one.booking) === `IN${number}` ? one.type : []))
  const whole = ['booking.created', 'booking.no_show']

  it('back off, alert after 1, 5 and 20 failures once, tell the recovery once, and deliver everything in order', async () => {
    target.setTakes(() => false)
    await start(2)
    for (let number = 0; number < 8; number += 1) await book(number)
    await until(() => heard().includes('alert 20'), 30_000)
    // A while longer: nothing else may be raised.
    const asked = target.asked.length
    await until(() => target.asked.length > asked + 8, 30_000)
    expect(heard()).to.deep.equal(['alert 1', 'alert 5', 'alert 20'])
    expect(taken()).to.deep.equal([])
    expect(new Set(target.asked.map(one => one.type)), 'nobody is told of what comes after').to.deep.equal(
      new Set(['booking.created']),
    )
    const times = target.asked.flatMap(one => (shortId(one.booking) === 'IN0' ? one.at : []))
    const gaps = times.slice(1).map((at, index) => at - times[index]!)
    for (const [index, gap] of gaps.slice(0, 4).entries()) expect(gap).to.be.at.least(50 * 2 ** index - 1)

    target.setTakes(() => true)
    await until(() => taken().length >= 16, 30_000)
    await until(() => heard().length > 3 && heard().at(-1)!.startsWith('recovered'))
    for (let number = 0; number < 8; number += 1) expect(takenOf(number)).to.deep.equal(whole)
    expect(taken()).to.have.length(16)
    const [end, ...after] = heard().slice(3)
    expect(end).to.match(/^recovered \d\d+$/)
    // The other process may write down a refusal from before the end after it: a streak of one, whose end is told too.
    for (const [index, one] of after.entries()) expect(one).to.equal(index % 2 ? 'recovered 1' : 'alert 1')
    await until(async () => (await bench.inbox.health()).backlog.tells.pending === 0)
    expect(await bench.inbox.health()).to.deep.include({ alertsToHandOver: 0, lanesBackingOff: 0 })
  })

  it('hold up no booking for another one that fails', async () => {
    target.setTakes(booking => shortId(booking) !== 'IN0')
    await start(2)
    for (let number = 0; number < 6; number += 1) await book(number)
    await until(() => taken().length === 10, 30_000)
    expect(takenOf(0)).to.deep.equal([])
    target.setTakes(() => true)
    await until(() => taken().length === 12, 30_000)
    for (let number = 0; number < 6; number += 1) expect(takenOf(number)).to.deep.equal(whole)
  })

  it('lose no alert where one is killed before it handed over what it raised', async () => {
    target.setTakes(() => false)
    await start(1, true)
    await book(0)
    await workers[0]!.gone
    expect(heard()).to.deep.equal([])
    expect(await bench.inbox.health()).to.include({ alertsToHandOver: 1 })
    await start(2)
    await until(() => heard().length > 0)
    await until(() => heard().includes('alert 5'), 30_000)
    expect(heard()).to.deep.equal(['alert 1', 'alert 5'])
  })
})
