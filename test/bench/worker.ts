import { type Queue, queues } from './queues.js'
import { play } from './role.js'

const [queue, database] = process.argv.slice(2) as [Queue, string]
let done = 0
const work = await queues[queue].worker(database, () => {
  done += 1
})

/** Begins to work at the first question, and says how much is done. */
play<'', number>(async () => {
  await work()
  return done
})
