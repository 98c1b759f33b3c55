import { BookingWebhooksError } from '@booking-webhooks/core'
import { readId } from '../appointment.js'
import { type Days, dayInWords, type ListPage, pageSize, type Rows } from './list.js'

/**
 * All appointments of these days. There are no pages and no cursor: a list with as many rows as were asked for may lack some, so
 * its days are halved until none is full, and a full day is listed calendar by calendar. Throws FETCH_FAILED where that is not enough.
 */
export async function listWindow(page: ListPage, days: Days, calendars: readonly string[]): Promise<Rows> {
  const { rows, isFull } = await page(days)
  if (!isFull) return rows
  const { first, last } = days
  if (first === last) return listDay(page, first, rows, calendars)
  const middle = Math.floor((first + last) / 2)
  const early = await listWindow(page, { first, last: middle }, calendars)
  const late = await listWindow(page, { first: middle + 1, last }, calendars)
  return new Map([...early, ...late])
}

async function listDay(page: ListPage, day: number, seen: Rows, calendars: readonly string[]): Promise<Rows> {
  const full = `${dayInWords(day)} has ${pageSize} appointments or more, and Acuity lists no more at once`
  for (const { calendarID } of seen.values())
    if (!calendars.includes(readId(calendarID) ?? ''))
      throw incomplete(
        `${full}. Name all calendars in reconcile({ calendars }), and each is listed by itself.`,
      )
  const rows = new Map(seen)
  for (const calendar of calendars) {
    const { rows: its, isFull } = await page({ first: day, last: day }, calendar)
    if (isFull)
      throw incomplete(`${full}. Calendar ${calendar} alone fills the list; it cannot be split further.`)
    for (const [id, row] of its) rows.set(id, row)
  }
  return rows
}

function incomplete(message: string): BookingWebhooksError {
  return new BookingWebhooksError('FETCH_FAILED', message)
}
