import { knexStore } from '@booking-webhooks/knex'
import { anEvent } from './an-event.js'

// Records events and claims their lanes until it is killed; says which ones it would have answered for.
const store = knexStore(process.argv[2], { migrate: false })
await store.open()
for (let number = 0; ; number++) {
  const event = anEvent(String(number))
  await store.record([event])
  await store.claim({ kind: 'settle', limit: 100, leaseMs: 300, owner: 'doomed', subscribers: [] })
  process.send?.(event.id)
}
