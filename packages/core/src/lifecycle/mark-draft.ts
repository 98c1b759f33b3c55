import type { BookingDetails, Payment } from '../event/booking.js'
import type { Cancellation } from '../event/event.js'
import type { Draft } from './draft.js'
import type { Fact } from './fact.js'
import { newDetails } from './new-details.js'

/** Details of one person: a fact about a whole meeting says nothing of them for its seats. */
const personal = ['attendee', 'guests', 'answers', 'timeZone', 'links', 'seats'] as const

/** Takes over everything a fact says beside status, place and time. What comes later in the order replaces what it names. */
export function markDraft(draft: Draft, fact: Fact): void {
  draft.alias ??= fact.alias ?? (fact.target.kind === 'person' ? fact.target.alias : null)
  draft.lastOccurredUs = Math.max(draft.lastOccurredUs, fact.occurredUs)
  draft.absent = absentAfter(draft, fact)
  draft.noShow = draft.absent.size > 0
  draft.details = { ...draft.details, ...detailsFor(draft, fact) }
  draft.payment = paymentAfter(draft, fact)
  if (fact.kind === 'canceled' || fact.kind === 'rejected' || fact.kind === 'half')
    draft.cancellation ??= endedBy(fact)
}

/** Who ended the booking and why, as the fact tells it. */
export function endedBy({ cancellation, details }: Fact): Cancellation {
  return {
    by: cancellation?.by ?? 'unknown',
    reason: details?.cancellationReason ?? null,
    rescheduleRequested: cancellation?.rescheduleRequested ?? false,
  }
}

/** The newest mark of each person counts: that one came says nothing of another who did not. */
function absentAfter({ absent }: Draft, { kind, target, noShow }: Fact): Draft['absent'] {
  const isAbsent = noShow ?? (kind === 'no_show' ? true : null)
  if (isAbsent === null) return absent
  const who = target.kind === 'person' ? target.alias : null
  return isAbsent ? new Set([...absent, who]) : new Set([...absent].filter(other => other !== who))
}

function detailsFor(draft: Draft, { kind, target, details }: Fact): Partial<BookingDetails> {
  const said = Object.entries(details?.booking ?? {}).filter(([, value]) => value !== undefined)
  // Of what takes place the provider may tell as it was when it was booked.
  const isOld = kind === 'started' || kind === 'ended'
  const given = isOld ? said.filter(newDetails(draft.details)) : said
  const isOneSeat = target.kind === 'meeting' && draft.id !== target.meetingId
  if (isOneSeat)
    return Object.fromEntries(given.filter(([name]) => !(personal as readonly string[]).includes(name)))
  const all: Partial<BookingDetails> = Object.fromEntries(given)
  return target.kind === 'person' && target.named !== draft.id ? withoutNamed(draft, all) : all
}

/** Links and the seat's id are those of the booking that the provider named: another person's, or the whole meeting's. */
function withoutNamed(draft: Draft, { links: _, seats, ...said }: Partial<BookingDetails>) {
  return { ...said, ...(seats && { seats: { ...seats, id: draft.details.seats?.id ?? null } }) }
}

/** Money that came in for a whole meeting marks none of its seats as paid, and nothing where it does not say how much. */
export function marksAsPaid({ kind, target, details }: Fact, id: string): boolean {
  return kind === 'paid' && (target.kind !== 'meeting' || (target.meetingId === id && !!details?.payment))
}

function paymentAfter({ id, payment }: Draft, fact: Fact): Payment | null {
  const { kind, details } = fact
  const isPaid = marksAsPaid(fact, id)
  const said = kind === 'paid' && !isPaid ? undefined : details?.payment
  const told = said === undefined ? payment : said && filledIn(said, payment)
  return isPaid ? { amount: null, currency: null, reference: null, ...told, paid: true } : told
}

/** A part that is null says nothing: a create tells the price, also where word of the payment came first. */
function filledIn(told: Payment, known: Payment | null): Payment {
  return {
    amount: told.amount ?? known?.amount ?? null,
    currency: told.currency ?? known?.currency ?? null,
    paid: told.paid ?? known?.paid ?? null,
    reference: told.reference ?? known?.reference ?? null,
  }
}
