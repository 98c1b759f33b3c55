import type { SampleDelivery } from '@booking-webhooks/core'
import { untilAsked } from './acuity-asks.js'

const advice =
  "Acuity's deliveries only name an appointment, and what happened is asked of its API. For invented ones run the fake of " +
  '@booking-webhooks/acuity (dist/testing/serve-fake-acuity.js) and set ACUITY_API_URL to it, here and for serve.'

export interface Put {
  /** What to do where there is no fake; null where all is well or nothing is to be put. */
  advice: string | null
  /** Waits, for two seconds at most, until the receiver has asked for what was put: the next state would hide this one. */
  isSeen(): Promise<void>
}

/** Makes the API say what a delivery stands for: puts its appointment into the fake at `apiUrl`. */
export async function putIntoFake(delivery: SampleDelivery, apiUrl: string | undefined): Promise<Put> {
  const appointment = appointmentOf(delivery)
  if (appointment === null) return { advice: null, isSeen: atOnce }
  if (apiUrl === undefined || !URL.canParse(apiUrl)) return { advice, isSeen: atOnce }
  const control = new URL(`/control/appointments/${appointment.id}`, apiUrl)
  const body = JSON.stringify(appointment)
  const isPut = await fetch(control, { method: 'PUT', body }).then(
    ({ ok }) => ok,
    () => false,
  )
  return isPut
    ? { advice: null, isSeen: await untilAsked(appointment.id, apiUrl) }
    : { advice, isSeen: atOnce }
}

/** Whether the API says the same of two deliveries. */
export function isSameState(delivery: SampleDelivery, next: SampleDelivery): boolean {
  return JSON.stringify(appointmentOf(delivery)) === JSON.stringify(appointmentOf(next))
}

function appointmentOf(delivery: SampleDelivery): { id: number } | null {
  return 'appointment' in delivery ? (delivery.appointment as { id: number } | null) : null
}

async function atOnce(): Promise<void> {}
