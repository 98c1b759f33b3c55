import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { knexStore } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { anEvent } from './support/an-event.js'
import { eachDatabase } from './support/databases.js'

eachDatabase((name, make) => {
  it(`on ${name} what was recorded by a process that is killed is there, and its lanes come back`, async function () {
    this.timeout(60_000)
    const database = await make()
    const store = knexStore(database.url)
    await store.open()
    const child: ChildProcess = fork(new URL('./support/recording-process.js', import.meta.url), [
      database.url,
    ])
    const answered: string[] = []
    child.on('message', id => answered.push(String(id)))
    while (answered.length < 20) await once(child, 'message')
    child.kill('SIGKILL')
    await once(child, 'exit')

    const { rows } = await store.events({}, { limit: 1000, cursor: null })
    expect(rows.map(({ id }) => id)).to.include.members(answered)
    expect((await store.record([anEvent('0')]))[0]).to.deep.include({ isNew: false, deliveries: 2 })
    // The child had all of its lanes in hands, for a lease of 300 ms.
    await sleep(350)
    const lanes = await store.claim({
      kind: 'settle',
      limit: 1000,
      leaseMs: 60_000,
      owner: 'heir',
      subscribers: [],
    })
    expect(lanes.filter(({ isAbandoned }) => isAbandoned).length).to.be.at.least(answered.length)
    expect(await store.sweep()).to.deep.equal({ lanes: 0, waiting: 0 })
    await store.close()
    await database.drop()
  })
})
