import { createHash } from 'node:crypto'
import type { Reading, WebhookRequest } from '@booking-webhooks/core'
import { noticeType, readNotification } from './notification.js'

/**
 * One request as one reading. An appointment's is a poke: two reschedules send the same bytes, as do a reschedule and its
 * retry, so nothing in them tells repeats apart, and each is looked at.
 */
export function read({ body }: Pick<WebhookRequest, 'body'>): { readings: Reading[] } {
  const notification = readNotification(body)
  const nothing = { bookingId: null, meetingId: null, occurredUs: null, unreadable: null }
  if ('unreadable' in notification) {
    const key = `unreadable:sha256:${createHash('sha256').update(body).digest('hex')}`
    const providerType = notification.action ?? 'unreadable'
    const reading = { ...nothing, dedupeKey: key, lane: key, providerType, type: null }
    return { readings: [{ ...reading, unreadable: notification.unreadable }] }
  }
  const { about, action: providerType, id } = notification
  if (about === 'appointment')
    return {
      readings: [
        { ...nothing, dedupeKey: null, lane: `appointment:${id}`, providerType, type: null, bookingId: id },
      ],
    }
  const type = noticeType(notification)
  // Whether a second one for the same order is a renewal or a retry cannot be told; it is counted and can be replayed.
  const dedupeKey = about === 'order' ? `order:${id}:completed` : null
  return { readings: [{ ...nothing, dedupeKey, lane: `${type}:${id}`, providerType, type }] }
}
