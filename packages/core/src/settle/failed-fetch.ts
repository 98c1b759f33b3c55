/** Why a fetch failed the last time, and how many tries in a row had failed like it by then. */
export interface FailedFetch {
  reason: string
  times: number
}

const counted = / \((\d+) times in a row\)$/

/** The failure after another one. */
export function failedAfter(before: FailedFetch | undefined, reason: string): FailedFetch {
  return { reason, times: before?.reason === reason ? before.times + 1 : 1 }
}

/** A failure as it is kept and shown. */
export function failedFetchInWords({ reason, times }: FailedFetch): string {
  return times > 1 ? `${reason} (${times} times in a row)` : reason
}

/** A failure as it was kept. */
export function failedFetchOf(words: string | null): FailedFetch | undefined {
  if (words === null) return undefined
  return { reason: words.replace(counted, ''), times: Number(counted.exec(words)?.[1] ?? 1) }
}
