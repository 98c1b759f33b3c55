import { atLongest } from '../inbox/at-longest.js'
import { bodyCutOff } from './body-errors.js'

/** The bytes that `reading` resolves with, or BODY_CUT_OFF after `timeoutMs`: a client may stop, or send a byte a second. */
export async function inTime(reading: Promise<Uint8Array>, timeoutMs: number): Promise<Uint8Array> {
  if (await atLongest(timeoutMs, reading)) return reading
  throw bodyCutOff(`The client took over ${timeoutMs} ms to send its body.`)
}
