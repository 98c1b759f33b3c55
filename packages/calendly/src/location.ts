import { type Location, objectOrNull, textOrNull } from '@booking-webhooks/core'
import type { CalendlyLocation, CalendlyScheduledEvent } from './payload.js'

const kinds: Record<string, Location['kind']> = {
  physical: 'in_person',
  inbound_call: 'phone',
  outbound_call: 'phone',
  ask_invitee: 'other',
  custom: 'other',
  zoom: 'video',
  zoom_conference: 'video',
  google_conference: 'video',
  microsoft_teams_conference: 'video',
  webex_conference: 'video',
  gotomeeting: 'video',
  gotomeeting_conference: 'video',
}

/** Where a meeting takes place; kinds that Calendly adds later are `other`. A conference has no `url` until it has been made. */
export function locationOf(value: unknown): Location | null {
  const location = objectOrNull<CalendlyLocation>(value)
  if (!location) return null
  const kind = kindOf(location.type)
  if (kind === 'video') return { kind, url: textOrNull(location.join_url), text: null }
  const lines = [textOrNull(location.location), kind === 'in_person' && textOrNull(location.additional_info)]
  return { kind, url: null, text: textOrNull(lines.filter(Boolean).join('\n')) }
}

function kindOf(type: unknown): Location['kind'] {
  return typeof type === 'string' && Object.hasOwn(kinds, type) ? (kinds[type] ?? 'other') : 'other'
}

/** True while a conference is still being made: its link will come, without any webhook. */
export function isLinkComing({ status, location }: CalendlyScheduledEvent): boolean {
  const place = locationOf(location)
  return (
    place?.kind === 'video' && place.url === null && status !== 'canceled' && location?.status !== 'failed'
  )
}
