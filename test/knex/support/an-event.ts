import { identify, laneKey, type NewEvent } from '@booking-webhooks/core'

/** An event in a lane of its own, or in the one that is named. */
export function anEvent(key: string, lane = laneKey('settle', key)): NewEvent {
  return {
    ...identify('example', 'default', key),
    dedupeKey: key,
    lane,
    provider: 'example',
    account: 'default',
    providerType: 'reservation.made',
    type: 'booking.created',
    bookingId: key,
    meetingId: null,
    occurredUs: 1,
    receivedUs: 1,
    headers: {},
    body: Buffer.from('{}'),
    parentId: null,
    index: 0,
    unreadable: null,
    origin: 'delivery',
    afterMs: 0,
  }
}
