import { bodyCutOff } from './body-errors.js'

/** The bytes that `reading` resolves with, or BODY_CUT_OFF after `timeoutMs`: a client may stop, or send a byte a second. */
export async function inTime(reading: Promise<Uint8Array>, timeoutMs: number): Promise<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(bodyCutOff(`The client took over ${timeoutMs} ms to send its body.`)),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
  }
}
