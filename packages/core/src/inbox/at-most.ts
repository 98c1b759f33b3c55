/** Lets so many run at once; the others wait, first come, first served. */
export function atMost(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // Whoever waits takes this one's place.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
