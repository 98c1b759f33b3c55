import { BookingWebhooksError, objectOrNull } from '@booking-webhooks/core'
import type { AccountCalls } from '../account-calls.js'
import { jsonOf } from '../api.js'
import { type AcuityAppointment, readId } from '../appointment.js'

/** How many rows a list is asked for: what Acuity gives by default, since the most that it would give is nowhere said. */
export const pageSize = 100

/** Days since 1970, both included. */
export interface Days {
  first: number
  last: number
}

/** Appointments by id. */
export type Rows = Map<string, AcuityAppointment>

/** One list of these days' appointments, canceled ones included. A full one may lack some. */
export type ListPage = (days: Days, calendar?: string) => Promise<{ rows: Rows; isFull: boolean }>

/** Lists of an account's appointments, counted. */
export function lister({ ask }: AccountCalls): { page: ListPage; count(): number } {
  let lists = 0
  return {
    async page(days, calendar) {
      const query = new URLSearchParams({
        minDate: dayInWords(days.first),
        maxDate: dayInWords(days.last),
        showall: 'true',
        excludeForms: 'true',
        max: String(pageSize),
        direction: 'ASC',
        ...(calendar === undefined ? {} : { calendarID: calendar }),
      })
      lists += 1
      return listOf(jsonOf(await ask({ method: 'GET', path: `/appointments?${query}` })))
    },
    count: () => lists,
  }
}

/** `2027-03-10`. */
export function dayInWords(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

function listOf(json: unknown): { rows: Rows; isFull: boolean } {
  const rows: Rows = new Map()
  const list: unknown[] = Array.isArray(json) ? json : [json]
  for (const one of list) {
    const row = objectOrNull<AcuityAppointment>(one)
    const id = readId(row?.id)
    if (row === null || id === null)
      throw new BookingWebhooksError('FETCH_FAILED', 'Acuity answered, but not with a list of appointments.')
    rows.set(id, row)
  }
  return { rows, isFull: list.length >= pageSize }
}
