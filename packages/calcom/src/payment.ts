import { idOrNull, numberOrNull, type Payment, textOrNull } from '@booking-webhooks/core'
import type { CalcomPayload } from './payload.js'

/** What a booking costs, and whether that was received: only a payment's own event tells. `price` is in minor units. */
export function paymentOf(payload: CalcomPayload, isReceived: boolean): Payment | null {
  const { paymentId } = payload
  const price = numberOrNull(payload.price)
  if (!isReceived && !price) return null
  const currency = textOrNull(payload.currency)?.toUpperCase() ?? null
  return {
    amount: price === null ? null : majorUnits(price, currency),
    currency,
    paid: isReceived || null,
    reference: idOrNull(typeof paymentId === 'number' ? String(paymentId) : paymentId),
  }
}

function majorUnits(minor: number, currency: string | null): string {
  const digits = fractionDigits(currency)
  return (minor / 10 ** digits).toFixed(digits)
}

function fractionDigits(currency: string | null): number {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return 2
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  )
}
