import { type Location, objectOrNull, textOrNull } from '@booking-webhooks/core'
import type { CalcomPayload } from './payload.js'

/** Where a booking takes place; null where the body does not say. A conference has no `url` until it has been made. */
export function locationOf(payload: CalcomPayload): Location | null {
  const text = textOrNull(payload.location)
  const joinUrl =
    textOrNull(objectOrNull<{ videoCallUrl: string }>(payload.metadata)?.videoCallUrl) ??
    textOrNull(objectOrNull<{ url: string }>(payload.videoCallData)?.url)
  return placeOf(text, joinUrl)
}

/** As `locationOf`, for a location and its join URL. */
export function placeOf(text: string | null, joinUrl: string | null): Location | null {
  if (text === null) return joinUrl === null ? null : { kind: 'video', url: joinUrl, text: null }
  if (text.startsWith('integrations:')) return { kind: 'video', url: joinUrl, text }
  if (/^https?:\/\//i.test(text)) return { kind: 'video', url: text, text: null }
  return { kind: 'other', url: null, text }
}
