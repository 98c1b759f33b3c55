import { createHash } from 'node:crypto'
import type { EventType, Reading, WebhookRequest } from '@booking-webhooks/core'
import { contentOf, type Happening, type InviteeHappening, type Senseless } from './happening.js'

/** One reading for each thing that a verified body tells; what makes no sense is one that says why. Never throws. */
export function read(request: WebhookRequest): { readings: Reading[] } {
  const content = contentOf(request.body)
  if ('problem' in content) return { readings: [unreadable(content, request.body)] }
  return { readings: content.happenings.map(readingOf) }
}

function readingOf(happening: Happening): Reading {
  const { dedupeKey, event, occurredUs } = happening
  if (happening.of === 'other')
    return {
      dedupeKey,
      lane: dedupeKey,
      providerType: event,
      type: `provider.${event}`,
      bookingId: null,
      meetingId: null,
      occurredUs,
      unreadable: null,
    }
  return {
    dedupeKey,
    lane: happening.invitee,
    providerType: event,
    type: typeOf(happening),
    bookingId: happening.invitee,
    meetingId: happening.meetingId,
    occurredUs,
    unreadable: null,
  }
}

function typeOf({ event, oldInvitee, newInvitee }: InviteeHappening): EventType {
  switch (event) {
    case 'invitee.created':
      return oldInvitee ? 'booking.rescheduled' : 'booking.created'
    case 'invitee.canceled':
      return newInvitee ? 'booking.rescheduled' : 'booking.canceled'
    case 'invitee_no_show.created':
      return 'booking.no_show'
    case 'invitee_no_show.deleted':
      return 'booking.updated'
  }
}

function unreadable({ event, problem }: Senseless, body: Uint8Array): Reading {
  const dedupeKey = `unreadable:sha256:${createHash('sha256').update(body).digest('hex')}`
  return {
    dedupeKey,
    lane: dedupeKey,
    providerType: event ?? 'unreadable',
    type: null,
    bookingId: null,
    meetingId: null,
    occurredUs: null,
    unreadable: problem,
  }
}
