import { BookingWebhooksError } from '../event/errors.js'
import { atLongest } from './at-longest.js'

/**
 * What a store answers, or STORE_UNAVAILABLE after so many milliseconds: a connection may be dead without a word, for as long as the kernel waits.
 * What it asked for may still be done; the next one to ask has another connection.
 */
export async function unlessSilent<Answer>(ms: number, asked: Promise<Answer>): Promise<Answer> {
  if (await atLongest(ms, asked)) return asked
  throw new BookingWebhooksError('STORE_UNAVAILABLE', `The store has not answered for ${ms} ms.`)
}
