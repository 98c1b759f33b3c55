import { type CalendlyDeliveryOptions, calendlyDelivery } from '@booking-webhooks/calendly/testing'
import type { Inbox } from '@booking-webhooks/core'
import { received } from '../support/received.js'
import { signingKey } from './signing-key.js'

/** How many of the changes below each booking has. */
export const changesEach = 10

const begins = Date.parse('2026-01-05T09:00:00Z')

/** The n-th change of a booking: it is made, marked as no-show and unmarked four times, and canceled. Every one is told. */
function change(booking: number, nth: number): CalendlyDeliveryOptions {
  const event =
    nth === 0
      ? 'invitee.created'
      : nth === changesEach - 1
        ? 'invitee.canceled'
        : nth % 2 === 1
          ? 'invitee_no_show.created'
          : 'invitee_no_show.deleted'
  return {
    key: signingKey,
    event,
    at: new Date(begins + nth * 60_000),
    invitee: {
      id: `IN${booking}`,
      meeting: `EV${booking}`,
      hosts: [`US${booking}`],
      bookedAt: new Date(begins),
      startsAt: new Date(begins + 86_400_000),
    },
    noShow: `NS${booking}N${nth}`,
  }
}

/** Receives all changes of so many bookings, a booking's own in order. */
export async function receiveAll(inbox: Inbox, bookings: number): Promise<void> {
  await inbox.start()
  for (let nth = 0; nth < changesEach; nth++) {
    const replies = Array.from({ length: bookings }, (_, booking) => {
      return inbox.receive('calendly', received(calendlyDelivery(change(booking, nth))))
    })
    for (const reply of await Promise.all(replies))
      if (reply?.status !== 200) throw new Error(`A delivery was answered ${reply?.status}.`)
  }
}
