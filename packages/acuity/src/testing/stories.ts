import { createHash } from 'node:crypto'
import type { StoryOptions } from '@booking-webhooks/core'
import type { AcuityAppointment } from '../appointment.js'
import { type AcuitySampleDelivery, acuityDelivery } from './delivery.js'
import { sampleAppointment } from './sample-appointment.js'

/** A story of Acuity's: before each delivery is sent, `put` its appointment into the fake that plays the API. */
export type AcuityStory = (options: StoryOptions) => AcuitySampleDelivery[]

function book(options: StoryOptions): AcuitySampleDelivery[] {
  const { ada, tell } = stage(options)
  return [tell('Ada books', 'scheduled', ada), tell('Acuity repeats itself', 'changed', ada)]
}

function cancel(options: StoryOptions): AcuitySampleDelivery[] {
  const { ada, tell } = stage(options)
  const canceled = { ...ada, canceled: true, canClientCancel: false, canClientReschedule: false }
  return [
    ...book(options),
    tell('Ada cancels', 'canceled', canceled),
    tell('Acuity repeats itself', 'changed', canceled),
  ]
}

function reschedule(options: StoryOptions): AcuitySampleDelivery[] {
  const { ada, tell, inDays } = stage(options)
  return [
    ...book(options),
    tell('Ada moves by a day', 'rescheduled', { ...ada, datetime: inDays(1) }),
    tell('Ada moves by another day: the same bytes', 'rescheduled', { ...ada, datetime: inDays(2) }),
  ]
}

function noShow(options: StoryOptions): AcuitySampleDelivery[] {
  const { ada, tell } = stage(options)
  const missed = { ...ada, canceled: true, noShow: true, canClientCancel: false, canClientReschedule: false }
  return [...book(options), tell('Ada does not come', 'canceled', missed)]
}

function doubleBooking(options: StoryOptions): AcuitySampleDelivery[] {
  const { bob, tell } = stage(options)
  return [...book(options), tell('Staff books Bob into the same slot', 'scheduled', bob)]
}

function order(options: StoryOptions): AcuitySampleDelivery[] {
  const { ada } = stage(options)
  return [
    acuityDelivery({ ...options, title: 'Ada buys a package', action: 'order.completed', id: ada.id + 9 }),
  ]
}

/** By name, for `booking-webhooks send --story`. */
export const acuityStories = { book, cancel, reschedule, noShow, doubleBooking, order } satisfies Record<
  string,
  AcuityStory
>

/** What the deliveries of one story share: people and times, with ids that no other story uses. */
function stage(options: StoryOptions) {
  const { prefix = '', sentAt = new Date(), startsAt = aWeekAfter(sentAt) } = options
  const first = firstId(prefix)
  const inDays = (days: number) => written(new Date(startsAt.getTime() + days * 86_400_000))
  const common = { datetime: inDays(0), datetimeCreated: written(sentAt) }
  return {
    inDays,
    ada: sampleAppointment({ id: first, ...common }),
    bob: sampleAppointment({
      id: first + 1,
      ...common,
      firstName: 'Bob',
      lastName: 'Example',
      email: 'bob@example.com',
    }),
    tell: (title: string, action: string, appointment: AcuityAppointment) =>
      acuityDelivery({ ...options, title, action, appointment }),
  }
}

/** Acuity's ids are numbers: the prefix becomes the leading digits. */
function firstId(prefix: string): number {
  if (prefix === '') return 510200301
  return 510200301 + (createHash('sha256').update(prefix).digest().readUInt32BE() % 10_000_000) * 1_000
}

/** As Acuity writes instants: whole seconds, an offset without a colon. */
function written(at: Date): string {
  return `${at.toISOString().slice(0, 19)}+0000`
}

function aWeekAfter(at: Date): Date {
  const hours = Math.ceil(at.getTime() / 3_600_000)
  return new Date((hours + 7 * 24) * 3_600_000)
}
