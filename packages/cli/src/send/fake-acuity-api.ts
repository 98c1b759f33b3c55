import type { SampleDelivery } from '@booking-webhooks/core'

const advice =
  "Acuity's deliveries only name an appointment, and what happened is asked of its API. For invented ones run the fake of " +
  '@booking-webhooks/acuity (dist/testing/serve-fake-acuity.js) and set ACUITY_API_URL to it, here and for serve.'

/**
 * Makes the API say what a delivery stands for: puts its appointment into the fake at `apiUrl`. Returns advice where there is no fake,
 * and null where all is well or nothing is to be put.
 */
export async function putIntoFake(
  delivery: SampleDelivery,
  apiUrl: string | undefined,
): Promise<string | null> {
  const appointment = 'appointment' in delivery ? (delivery.appointment as { id: number } | null) : null
  if (appointment === null) return null
  if (apiUrl === undefined || !URL.canParse(apiUrl)) return advice
  const control = new URL(`/control/appointments/${appointment.id}`, apiUrl)
  const body = JSON.stringify(appointment)
  const isPut = await fetch(control, { method: 'PUT', body }).then(
    ({ ok }) => ok,
    () => false,
  )
  return isPut ? null : advice
}
