/** What is to be said of a request, and what to do about it. */
export interface Verdict {
  verdict: 'ok' | 'missing-header' | 'malformed' | 'wrong-key' | 'stale' | 'reserialized' | 'wrong-encoding'
  advice: string
}
