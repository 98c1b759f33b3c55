import { Queue as BullQueue, Worker } from 'bullmq'
import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import PgBoss from 'pg-boss'
import { changesEach, receiveAll } from './bookings.js'
import { inboxOn } from './inbox.js'

/** Something that keeps work and has it done: filled once, then worked on by one or several processes. */
interface WorkQueue {
  /** Stores `changesEach` pieces of work for each booking. */
  fill(database: string, bookings: number): Promise<void>
  /** Prepares a worker; the function returned begins to work when it is called first. */
  worker(database: string, done: () => void): Promise<() => Promise<unknown>>
}

/** As many at once as this library has by default. */
const concurrency = 16

const jobs = (bookings: number) =>
  Array.from({ length: bookings * changesEach }, (_, index) => ({ booking: index % bookings }))

export const queues = {
  /** Settling and telling: each event is interpreted, folded, decided and told, in order for each booking. */
  ours: {
    async fill(database, bookings) {
      // The subscriber is known before: settling writes tells for those who are.
      const inbox = inboxOn(database, { dispatch: false })
      await receiveAll(inbox, bookings)
      await inbox.close()
    },
    async worker(database, done) {
      const subscriber = { takes: ['*'], tell: () => done() }
      const inbox = inboxOn(database, { subscribers: { nobody: subscriber } })
      return () => inbox.start()
    },
  },

  /** In order for each booking, by a queue name of its own. */
  'graphile-worker': {
    async fill(database, bookings) {
      const utils = await makeWorkerUtils({ connectionString: database, logger: quiet })
      await utils.migrate()
      for (const some of chunks(jobs(bookings)))
        await utils.withPgClient(client =>
          client.query(
            `SELECT graphile_worker.add_jobs(array(SELECT json_populate_record(null::graphile_worker.job_spec, spec)
             FROM json_array_elements($1::json) AS spec))`,
            [
              JSON.stringify(
                some.map(({ booking }) => ({
                  identifier: 'nothing',
                  payload: { booking },
                  queue_name: `booking ${booking}`,
                })),
              ),
            ],
          ),
        )
      await utils.release()
    },
    async worker(database, done) {
      let running: Promise<unknown> | undefined
      return () => {
        running ??= run({
          connectionString: database,
          concurrency,
          maxPoolSize: concurrency + 2,
          logger: quiet,
          noHandleSignals: true,
          taskList: { nothing: async () => done() },
        })
        return running
      }
    },
  },

  /** In no order. Fetched a thousand at a time, as its polling is what bounds it. */
  'pg-boss': {
    async fill(database, bookings) {
      const boss = await new PgBoss(database).start()
      await boss.createQueue('nothing')
      for (const some of chunks(jobs(bookings)))
        await boss.insert(some.map(data => ({ name: 'nothing', data })))
      await boss.stop()
    },
    async worker(database, done) {
      const boss = await new PgBoss(database).start()
      let working: Promise<string> | undefined
      const options = { batchSize: 1_000, pollingIntervalSeconds: 0.5 }
      return () => {
        working ??= boss.work('nothing', options, async batch => batch.forEach(done))
        return working
      }
    },
  },

  /** In no order, in Redis, which writes to disk behind the answer. */
  bullmq: {
    async fill(database, bookings) {
      const queue = new BullQueue(nameIn(database), { connection: redis })
      await queue.obliterate({ force: true })
      for (const some of chunks(jobs(bookings)))
        await queue.addBulk(some.map(data => ({ name: 'nothing', data, opts: { removeOnComplete: true } })))
      await queue.close()
    },
    async worker(database, done) {
      const options = { connection: redis, concurrency, autorun: false }
      const worker = new Worker(nameIn(database), async () => done(), options)
      return async () => {
        if (!worker.isRunning()) void worker.run()
      }
    },
  },
} satisfies Record<string, WorkQueue>

export type Queue = keyof typeof queues

const redis = { host: '127.0.0.1', port: 6379 }

/** One queue in Redis for each database here. */
function nameIn(database: string): string {
  return database.slice(database.lastIndexOf('/') + 1)
}

const quiet = new Logger(() => () => {})

function chunks<Item>(items: Item[]): Item[][] {
  const size = 1_000
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
