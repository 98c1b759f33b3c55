import {
  type FetchContext,
  idOrNull,
  objectOrNull,
  objectsIn,
  type StoredReading,
} from '@booking-webhooks/core'
import { type Api, bookingByUid, type Question } from './api.js'
import { contentOf } from './happening.js'
import { type Look, lookIn } from './look.js'
import { type Missing, missingIn } from './missing.js'
import type { CalcomApiBooking } from './payload.js'

/** What the API answered, as it is kept with the event. */
export interface Answers {
  /** The booking that was asked about; null where there is none. */
  booking?: CalcomApiBooking | null
  /** The bookings of its series. */
  series?: CalcomApiBooking[]
  /** The booking that replaced it. */
  next?: CalcomApiBooking | null
}

/** What asking would be about; null where the body tells all. */
export function questionOf(reading: StoredReading): { about: Look } | { about: Missing; uid: string } | null {
  if (reading.isLook) {
    const look = lookIn(reading.body)
    return look && { about: look }
  }
  const content = contentOf(reading.body, text => text)
  const happening = 'problem' in content ? undefined : content.happenings[reading.index]
  if ('problem' in content || happening?.of !== 'booking') return null
  const about = missingIn(happening, content.delivery)
  return about && { about, uid: happening.uid }
}

const withoutApi: Record<Missing, string> = {
  link: 'a booking seems to replace another one, and the body does not say which',
  times: 'a booking came without its time or host',
  series: 'a whole series ended, and the body names one of its bookings',
}

/** Asks what a stored reading leaves open. Null where nothing is open now; without an API only a warning comes of it. */
export async function ask(
  api: Api | null,
  reading: StoredReading,
  context: FetchContext,
): Promise<Answers | null> {
  const question = questionOf(reading)
  if (!question) return null
  const { account } = reading
  if ('uid' in question) {
    const { about, uid } = question
    if (api === null)
      context.log.warn(`${withoutApi[about]}: set calcom({ apiKey }) to have it asked`, {
        provider: 'calcom',
        account,
        booking: uid,
      })
    // A series is asked about later: Cal.com may not have written it down yet.
    if (api === null || about === 'series') return null
    return { booking: await single(api, uid, { account, waits: 'delivery', context }) }
  }
  return api && look(api, question.about, { account, waits: 'look', context })
}

async function look(api: Api, { at, uid }: Look, question: Question): Promise<Answers> {
  const booking = await single(api, uid, question)
  const series = idOrNull(booking?.recurringBookingUid)
  if (at === 'series' && series !== null)
    return {
      booking,
      series: objectsIn<CalcomApiBooking>([await bookingByUid(api, series, question)].flat()),
    }
  const next = idOrNull(booking?.rescheduledToUid)
  if ((at === 'meeting' || at === 'rest') && next !== null)
    return { booking, next: await single(api, next, question) }
  return { booking }
}

/** Null for none, and for an answer about another one. */
async function single(api: Api, uid: string, question: Question): Promise<CalcomApiBooking | null> {
  const booking = objectOrNull<CalcomApiBooking>(await bookingByUid(api, uid, question))
  return booking && (booking.uid ?? uid) === uid ? booking : null
}
