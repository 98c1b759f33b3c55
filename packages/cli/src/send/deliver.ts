import type { SampleDelivery } from '@booking-webhooks/core'

/** What became of one sample delivery. */
export interface Delivered {
  title: string
  /** Null where there was no answer. */
  status: number | null
  ok: boolean
  ms: number
  /** Why there was no answer, as a code; null where there was one. */
  error: string | null
}

/** As long as Calendly waits for an answer. */
const timeoutMs = 15_000

/** Posts one delivery as a provider would: redirects are not followed. Never rejects. */
export async function deliver(url: string, delivery: SampleDelivery): Promise<Delivered> {
  const { title, method, headers, body } = delivery
  const startedMs = performance.now()
  const ms = () => Math.round(performance.now() - startedMs)
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal })
    await response.arrayBuffer()
    return { title, status: response.status, ok: response.ok, ms: ms(), error: null }
  } catch (error) {
    return { title, status: null, ok: false, ms: ms(), error: codeOf(error) }
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
