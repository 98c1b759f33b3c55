import { randomBytes } from 'node:crypto'
import type { SampleDelivery, Story } from '@booking-webhooks/core'
import { type Delivered, deliver } from './deliver.js'

export interface Telling {
  story: Story
  key: string
  count: number
  concurrency: number
  urlOf(delivery: SampleDelivery): string
  /** Called before each delivery. What it resolves with is called after it, and waited for before a next one that tells of another state. */
  prepare(delivery: SampleDelivery): Promise<() => Promise<void>>
  /** Whether two deliveries are about the same, so that the one may follow the other at once. */
  isSame(delivery: SampleDelivery, next: SampleDelivery): boolean
}

/** Tells a story `count` times with ids of its own each time, `concurrency` at once; yields each delivery as it is answered, one story's in order. */
export async function tellStories(
  { story, key, count, concurrency, urlOf, prepare, isSame }: Telling,
  delivered: (result: Delivered) => void,
): Promise<void> {
  const run = randomBytes(3).toString('hex')
  let told = 0
  const tellOneAfterAnother = async () => {
    while (told < count) {
      told += 1
      const deliveries = story({ key, prefix: `${run}-${told}-` })
      for (const [index, delivery] of deliveries.entries()) {
        const isSeen = await prepare(delivery)
        delivered(await deliver(urlOf(delivery), delivery))
        const next = deliveries[index + 1]
        if (next && !isSame(delivery, next)) await isSeen()
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, tellOneAfterAnother))
}
