import type { SampleDelivery, Story, StoryOptions } from '@booking-webhooks/core'
import { type CalcomDeliveryOptions, calcomDelivery } from './delivery.js'
import { aWeekAfter, emailOf, type SampleBooking } from './payload.js'

/** Everything that the adapter knows, as stories. Names are the same in all providers where they tell the same. */
export const calcomStories = {
  book: options => [booked(stage(options))],
  cancel: options => {
    const scene = stage(options)
    return [booked(scene), canceled(scene)]
  },
  reschedule: options => {
    const scene = stage(options)
    return [booked(scene), moved(scene)]
  },
  'reschedule-reversed': options => {
    const scene = stage(options)
    return [moved(scene), booked(scene)]
  },
  'reschedule-chain': options => {
    const scene = stage(options)
    const { annMoved, nextDay, prefix, tell } = scene
    const dayAfter = new Date(nextDay.getTime() + dayMs)
    const ids = { uid: `${prefix}uid1c`, bookingId: 9004 }
    const booking = { ...annMoved, ...ids, startsAt: dayAfter, replaces: annMoved }
    return [booked(scene), moved(scene), tell('Ann moves again', 'BOOKING_RESCHEDULED', 20, { booking })]
  },
  'late-create': options => {
    const scene = stage(options)
    return [canceled(scene), booked(scene)]
  },
  'no-show': options => {
    const { ann, tell, ...scene } = stage(options)
    const marks = [{ email: emailOf(ann), noShow: false }]
    return [
      booked({ ann, tell, ...scene }),
      tell('the host marks Ann as a no-show', 'BOOKING_NO_SHOW_UPDATED', 20, { booking: ann }),
      tell('the host takes the mark back', 'BOOKING_NO_SHOW_UPDATED', 30, { booking: ann, marks }),
    ]
  },
  group: options => {
    const { annsSeat, bobsSeat, tell } = stage(options)
    return [
      tell('Ann takes a seat', 'BOOKING_CREATED', 0, { booking: annsSeat }),
      tell('Bob takes another', 'BOOKING_CREATED', 1, { booking: bobsSeat }),
      tell('Ann gives hers up', 'BOOKING_CANCELLED', 10, { booking: annsSeat }),
    ]
  },
  'double-booking': options => {
    const { ann, bob, tell, ...scene } = stage(options)
    return [
      booked({ ann, bob, tell, ...scene }),
      tell('Bob is given the same time', 'BOOKING_CREATED', 5, { booking: bob }),
      tell('Ann cancels, and Bob gets it', 'BOOKING_CANCELLED', 10, { booking: ann }),
    ]
  },
  retry: options => {
    const delivery = booked(stage(options))
    return [delivery, { ...delivery, title: 'the same again' }]
  },
  'two-subscriptions': options => {
    const scene = stage(options)
    const at = new Date(scene.after(0).getTime() + 4)
    const again = { booking: scene.ann, at, version: '2026-07-27' } as const
    return [booked(scene), scene.tell('a second webhook tells the same', 'BOOKING_CREATED', 0, again)]
  },
  request: options => {
    const scene = stage(options)
    return [requested(scene), accepted(scene)]
  },
  'request-rejected': options => {
    const scene = stage(options)
    return [requested(scene), scene.tell('the host declines', 'BOOKING_REJECTED', 10, { booking: scene.ann })]
  },
  'request-to-reschedule': options => {
    const { ann, annMoved, tell, ...scene } = stage(options)
    const canceler = { asksForAnotherTime: true, reason: 'Please reschedule. I am travelling' }
    return [
      booked({ ann, annMoved, tell, ...scene }),
      tell('the host asks for another time', 'BOOKING_CANCELLED', 10, { booking: ann, canceler }),
      tell('Ann chooses one', 'BOOKING_RESCHEDULED', 20, { booking: annMoved }),
    ]
  },
  'reschedule-to-confirm': options => {
    const { annMoved, tell, ...scene } = stage(options)
    const booking = { ...annMoved, requiresConfirmation: true }
    return [
      booked({ annMoved, tell, ...scene }),
      tell('Ann asks for another time', 'BOOKING_REQUESTED', 10, { booking }),
      tell('the host accepts it', 'BOOKING_CREATED', 20, { booking, isAccepted: true }),
    ]
  },
  'seat-moves': options => {
    const { annsSeat, bobsSeat, nextDay, tell } = stage(options)
    const elsewhere = { ...annsSeat, uid: `${annsSeat.uid}b`, startsAt: nextDay, replaces: annsSeat }
    return [
      tell('Ann takes a seat', 'BOOKING_CREATED', 0, { booking: annsSeat }),
      tell('Bob takes another', 'BOOKING_CREATED', 1, { booking: bobsSeat }),
      tell('Ann moves hers to another day', 'BOOKING_RESCHEDULED', 10, { booking: elsewhere }),
    ]
  },
  'meeting-moves': options => {
    const { annsSeat, bobsSeat, nextDay, tell } = stage(options)
    const booking = { ...annsSeat, seat: undefined, startsAt: nextDay, replaces: annsSeat }
    return [
      tell('Ann takes a seat', 'BOOKING_CREATED', 0, { booking: annsSeat }),
      tell('Bob takes another', 'BOOKING_CREATED', 1, { booking: bobsSeat }),
      tell('the host moves all of it', 'BOOKING_RESCHEDULED', 10, { booking }),
    ]
  },
  paid: options => {
    const scene = stage(options)
    const booking = { ...scene.ann, price: 5_000 }
    return [
      scene.tell('Ann begins to pay', 'BOOKING_PAYMENT_INITIATED', 0, { booking }),
      scene.tell('Ann has paid', 'BOOKING_PAID', 1, { booking }),
      scene.tell('and has booked', 'BOOKING_CREATED', 1, { booking }),
    ]
  },
  meeting: options => {
    const scene = stage(options)
    return [
      booked(scene),
      scene.tell('the meeting starts', 'MEETING_STARTED', 0, { booking: scene.ann }),
      scene.tell('the meeting ends', 'MEETING_ENDED', 0, { booking: scene.ann }),
    ]
  },
  reassigned: options => {
    const scene = stage(options)
    const host = {
      id: Number(scene.host.id) + 1,
      name: 'Omar Host',
      email: `${scene.prefix}omar@example.com`,
    }
    const booking = { ...scene.ann, host }
    return [booked(scene), scene.tell('another host takes over', 'BOOKING_REASSIGNED', 10, { booking })]
  },
  ping: options => [stage(options).tell('someone presses "Ping test"', 'PING', 0, {})],
  unknown: options => {
    const payload = { uid: stage(options).ann.uid }
    return [stage(options).tell('something that did not exist yesterday', 'BOOKING_FOO', 0, { payload })]
  },
} satisfies Record<string, Story>

const dayMs = 24 * 3_600_000

type Scene = ReturnType<typeof stage>

/** People, a host and a clock; `prefix` keeps one story's ids and slots apart from another's. */
function stage(options: StoryOptions) {
  const { prefix = '', sentAt = new Date(), startsAt = aWeekAfter(sentAt) } = options
  const after = (minutes: number) => new Date(sentAt.getTime() + (minutes - 60) * 60_000)
  const nextDay = new Date(startsAt.getTime() + dayMs)
  const host = { id: hostNumber(prefix), email: `${prefix}olga@example.com` }
  const ann: SampleBooking = { uid: `${prefix}uid1`, bookingId: 9001, startsAt, host }
  const bob = { ...ann, uid: `${prefix}uid2`, bookingId: 9002, name: 'Bob Ray', email: 'bob@example.com' }
  const seats = { uid: `${prefix}uid9`, bookingId: 9100, seatsPerTimeSlot: 10 }
  return {
    prefix,
    host,
    nextDay,
    after,
    ann,
    bob,
    annMoved: { ...ann, uid: `${prefix}uid1b`, bookingId: 9003, startsAt: nextDay, replaces: ann },
    annsSeat: { ...ann, ...seats, seat: `${prefix}11111111-1111-4111-8111-111111111111` },
    bobsSeat: { ...bob, ...seats, seat: `${prefix}22222222-2222-4222-8222-222222222222` },
    /** An hour passes between the first booking and the sending of it all. */
    tell: (title: string, trigger: string, minutes: number, more: Partial<CalcomDeliveryOptions>) =>
      calcomDelivery({ ...options, sentAt, title, trigger, at: after(minutes), ...more }),
  }
}

function booked({ ann, tell }: Scene): SampleDelivery {
  return tell('Ann books', 'BOOKING_CREATED', 0, { booking: ann })
}

function canceled({ ann, tell }: Scene): SampleDelivery {
  return tell('Ann cancels', 'BOOKING_CANCELLED', 10, {
    booking: ann,
    canceler: { reason: 'Something came up' },
  })
}

function moved({ annMoved, tell }: Scene): SampleDelivery {
  return tell('Ann moves to another day', 'BOOKING_RESCHEDULED', 10, { booking: annMoved })
}

function requested({ ann, tell }: Scene): SampleDelivery {
  return tell('Ann asks for a time', 'BOOKING_REQUESTED', 0, { booking: ann })
}

function accepted({ ann, tell }: Scene): SampleDelivery {
  const booking = { ...ann, requiresConfirmation: true }
  return tell('the host accepts it', 'BOOKING_CREATED', 10, { booking, isAccepted: true })
}

/** A host of the story's own: ids are numbers at Cal.com, so the prefix is counted into one. */
function hostNumber(prefix: string): number {
  let number = 11
  for (const character of prefix) number = (number * 131 + (character.codePointAt(0) ?? 0)) % 1_000_000_007
  return number
}
