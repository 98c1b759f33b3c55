import type { Adapter } from '@booking-webhooks/core'
import { attempt, type Change, fits, isOutOfTime } from './attempt.js'
import { changedBodies } from './changed-bodies.js'
import type { RawRequest } from './raw-request.js'
import { recodedBodies } from './recoded-bodies.js'
import { recodedKeys } from './recoded-keys.js'
import { recodedSignatures } from './recoded-signatures.js'
import { slippedKeys } from './slipped-keys.js'
import type { Verdict } from './verdict.js'

export interface Examination {
  adapter: Adapter
  keys: readonly string[]
  /** Keys of other providers, by variable: perhaps they were mixed up. */
  otherKeys: ReadonlyMap<string, readonly string[]>
  /** When the request counts as received. */
  now: Date
}

/** Whether the provider signed this request, and if not, which of the usual mistakes explains it: each is tried. */
export async function examine(raw: RawRequest, examination: Examination): Promise<Verdict> {
  const { adapter, keys, now } = examination
  const judge = ({ body = raw.body, headers = raw.headers, keys: candidates = keys }: Change) => {
    const { method } = raw
    const request = { method, publicUrl: null, headers, body, receivedAt: now, account: 'default' }
    return attempt(adapter, request, { keys: candidates.filter(key => key !== ''), now })
  }

  const judged = await judge({})
  if ('keyIndex' in judged) return ok(judged.keyIndex, keys.length)
  if (isOutOfTime(judged)) return { verdict: 'stale', advice: judged.message }
  if (judged.code === 'SIGNATURE_MISSING') return { verdict: 'missing-header', advice: judged.message }

  for (const { change, verdict, advice } of mistakes(raw, examination))
    if (fits(await judge(change))) return { verdict, advice }

  if (judged.code === 'SIGNATURE_MALFORMED') return { verdict: 'malformed', advice: judged.message }
  return changedLength(raw) ?? { verdict: 'wrong-key', advice: judged.message }
}

type Mistake = Verdict & { change: Change }

function* mistakes(raw: RawRequest, { keys, otherKeys }: Examination): Generator<Mistake> {
  for (const [headers, how] of recodedSignatures(raw.headers))
    yield {
      change: { headers },
      verdict: 'wrong-encoding',
      advice: `The signature is right but ${how}. Let the header through as the provider wrote it.`,
    }
  for (const [body, how] of changedBodies(raw.rest))
    yield {
      change: { body },
      verdict: 'reserialized',
      advice: `The signature fits the body ${how}. Something parsed and wrote it anew: keep the bytes as they came, and mount bookingWebhooks() before any body parser.`,
    }
  for (const [body, how] of recodedBodies(raw.rest))
    yield {
      change: { body },
      verdict: 'wrong-encoding',
      advice: `The signature fits the body ${how}. Keep the body as bytes, never as text.`,
    }
  for (const [candidates, how] of recodedKeys(keys))
    yield {
      change: { keys: candidates },
      verdict: 'wrong-encoding',
      advice: `The signature fits the key ${how}. Set the key in that form.`,
    }
  for (const [candidates, how] of slippedKeys(keys))
    yield { change: { keys: candidates }, verdict: 'wrong-key', advice: `The signature fits the key ${how}.` }
  for (const [variable, candidates] of otherKeys)
    yield {
      change: { keys: candidates },
      verdict: 'wrong-key',
      advice: `The signature fits the key in ${variable}. Were the two mixed up?`,
    }
}

function ok(keyIndex: number, count: number): Verdict {
  const which = count === 1 ? 'the key' : `key ${keyIndex + 1} of ${count}`
  return { verdict: 'ok', advice: `The provider signed these bytes with ${which}.` }
}

/** A body that cannot be put back as it was still shows that it was changed. */
function changedLength({ headers, rest }: RawRequest): Verdict | null {
  const declared = headers.get('content-length')
  const text = Buffer.from(rest).toString('latin1')
  const lengths = [text.length, text.trimEnd().length]
  if (declared === null || headers.has('content-encoding') || lengths.includes(Number(declared))) return null
  return {
    verdict: 'reserialized',
    advice: `Content-Length says ${declared} bytes, but the body has ${text.length}: it was changed after it was sent. Keep the bytes as they came, and mount bookingWebhooks() before any body parser.`,
  }
}
