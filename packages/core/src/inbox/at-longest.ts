/** Waits for the work, for so many milliseconds at the longest; whether it ended in that time. Rejects as it does. */
export async function atLongest(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>(resolve => {
    // A timer that is set for longer fires at once.
    timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1), false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
