import {
  type FactKind,
  idOrNull,
  type Micros,
  objectOrNull,
  parseJsonBody,
  type SecondLook,
} from '@booking-webhooks/core'

/** A question for the API that can wait: what else happened that no body told. */
export interface Look {
  /** The other bookings of a series; whether a whole meeting went; whether its rest did, some having been told; the booking that this one replaced. */
  at: 'series' | 'meeting' | 'rest' | 'link'
  uid: string
  /** What happened to the one that was told. */
  change: FactKind
  /** When it happened. */
  occurredUs: Micros
}

/** Cal.com sends some cancels before its own database has them: nothing is asked earlier than this. */
const soonestMs = 60_000

/** A link that could not be read was asked for several times just now. */
const linkMs = 10 * 60_000

/** In a lane of its own: nobody waits for it. */
export function lookFor(look: Look): SecondLook {
  const { at, uid, change, occurredUs } = look
  return {
    key: `look|${at}|${change}|${uid}|${occurredUs}`,
    lane: `look|${uid}`,
    afterMs: at === 'link' ? linkMs : soonestMs,
    subject: { at, uid, change, occurredUs: String(occurredUs) },
    unlessKnown: null,
  }
}

/** The look that a stored subject holds; null where it holds none. */
export function lookIn(body: Uint8Array): Look | null {
  const json = parseJsonBody(body)
  const subject = 'value' in json ? objectOrNull<Record<keyof Look, string>>(json.value) : null
  const uid = idOrNull(subject?.uid)
  const { at, change } = subject ?? {}
  if (uid === null || !isPlace(at) || !isChange(change)) return null
  return { at, uid, change, occurredUs: Number(subject?.occurredUs) }
}

function isPlace(at: unknown): at is Look['at'] {
  return ['series', 'meeting', 'rest', 'link'].includes(String(at))
}

function isChange(change: unknown): change is FactKind {
  return ['requested', 'created', 'moved', 'canceled', 'rejected'].includes(String(change))
}
