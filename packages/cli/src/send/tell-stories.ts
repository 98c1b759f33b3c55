import { randomBytes } from 'node:crypto'
import type { SampleDelivery, Story } from '@booking-webhooks/core'
import { type Delivered, deliver } from './deliver.js'

export interface Telling {
  story: Story
  key: string
  count: number
  concurrency: number
  urlOf(delivery: SampleDelivery): string
  /** Called before each delivery. */
  prepare(delivery: SampleDelivery): Promise<void>
}

/** Tells a story `count` times with ids of its own each time, `concurrency` at once; yields each delivery as it is answered, one story's in order. */
export async function tellStories(
  { story, key, count, concurrency, urlOf, prepare }: Telling,
  delivered: (result: Delivered) => void,
): Promise<void> {
  const run = randomBytes(3).toString('hex')
  let told = 0
  const tellOneAfterAnother = async () => {
    while (told < count) {
      told += 1
      for (const delivery of story({ key, prefix: `${run}-${told}-` })) {
        await prepare(delivery)
        delivered(await deliver(urlOf(delivery), delivery))
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, tellOneAfterAnother))
}
