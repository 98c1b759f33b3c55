import type { Outcome } from '../lifecycle/decision.js'
import type { ExplainedBooking, ExplainedEvent, Explanation } from './explanation.js'
import { tellMoment } from './moment.js'
import { type Renaming, renamings } from './renamings.js'
import { slotsInWords } from './slots-in-words.js'
import { tellsInWords } from './tells-in-words.js'

/** A booking's story in plain words, for people who do not know this library: how it stands, then what came, step by step. */
export function inWords(story: Explanation): string {
  const renamed = renamings(story.events)
  const steps = story.events.map((event, index) => step(story, event, index, renamed))
  return [...standing(story), ...steps.flatMap(lines => ['', ...lines]), ''].join('\n')
}

function standing(story: Explanation): string[] {
  const { bookingId, provider, account, thread } = story
  const booking = thread.find(one => one.id === bookingId)
  const whose = account === 'default' ? provider : `${provider}, account ${account}`
  if (!booking)
    return [
      `Of booking ${bookingId} (${whose}) nothing came that makes or ends it: it may be older than this installation.`,
    ]
  return [
    `Booking ${bookingId} (${whose}) ${statusInWords[booking.status] ?? booking.status}.`,
    ...place(booking),
    ...(thread.length > 1 ? [chain(thread)] : []),
  ]
}

const statusInWords: Record<string, string> = {
  requested: 'is requested and not confirmed yet',
  confirmed: 'is confirmed',
  conflict: 'is confirmed by its provider, but another meeting holds its time',
  canceled: 'is canceled',
  rejected: 'was rejected',
  rescheduled: 'was rescheduled: another booking took its place',
}

function place({ startsAt, status, holds, waitsFor }: ExplainedBooking): string[] {
  const isStanding = ['requested', 'confirmed', 'conflict'].includes(status)
  const when =
    startsAt === null ? [] : [`It ${isStanding ? 'starts' : 'was to start'} at ${tellMoment(startsAt)}.`]
  const held = holds.map(({ resource }) => `It holds that time of ${resource}.`)
  const awaited = waitsFor.map(({ resource, heldBy }) =>
    heldBy === null
      ? `It waits for that time of ${resource}, which is free now: it is about to get it.`
      : `It waits for that time of ${resource}, which meeting ${heldBy} holds. It gets it as soon as that one gives it up.`,
  )
  return [...when, ...held, ...awaited]
}

function chain(thread: ExplainedBooking[]): string {
  const links = thread.map(({ id, status }) => `${id} (${status})`)
  return `Reschedules made a chain of ${thread.length} bookings: ${links.join(' → ')}.`
}

function step(
  story: Explanation,
  event: ExplainedEvent,
  index: number,
  renamed: ReadonlyMap<string, Renaming>,
): string[] {
  const [first = '', ...more] = [
    ...arrival(story, event),
    ...order(story, event, index),
    ...renaming(renamed.get(event.id)),
    ...decision(event),
    ...slotsInWords(event),
    ...tellsInWords(event),
    ...erasure(event),
  ]
  const number = `${index + 1}. `
  return [`${number}${first}`, ...more.map(line => ' '.repeat(number.length) + line)]
}

function arrival({ provider, events }: Explanation, event: ExplainedEvent): string[] {
  const at = tellMoment(event.receivedAt)
  if (event.origin === 'settling') {
    const parent = events.findIndex(({ id }) => id === event.parentId) + 1
    const of = parent > 0 ? ` of number ${parent}` : ''
    return [`${at}  A further event came${of}: ${event.type ?? event.providerType}. Its id is ${event.id}.`]
  }
  const what = event.origin === 'poke' ? 'A notice' : 'A message'
  const meaning = event.type === null ? '' : `, which means ${event.type}`
  const came = `${at}  ${what} "${event.providerType}" came from ${provider}${meaning}. Its id is ${event.id}.`
  if (event.deliveries === 1) return [came]
  return [
    came,
    `It came ${event.deliveries} times, the last time at ${tellMoment(event.lastReceivedAt)}; it counts once.`,
  ]
}

/** What happened earlier and came later is what surprises people most. */
function order({ provider, events }: Explanation, event: ExplainedEvent, index: number): string[] {
  const { occurredAt } = event
  if (occurredAt === null || event.origin === 'settling') return []
  const overtaking = events
    .slice(0, index)
    .map((other, at) => ({ number: at + 1, other }))
    .filter(({ other }) => other.origin !== 'settling' && (other.occurredAt ?? '') > occurredAt)
  const happened = `By ${provider}'s clock it happened at ${tellMoment(occurredAt)}`
  if (overtaking.length === 0) return [`${happened}.`]
  const names = overtaking.map(
    ({ number, other }) => `number ${number} (${other.type ?? other.providerType})`,
  )
  return [`${happened}: before ${names.join(' and ')}, which overtook it on the way here.`]
}

function renaming(renamed: Renaming | undefined): string[] {
  if (!renamed) return []
  const { from, to } = renamed
  return [`An older booking of the chain became known: the chain was named ${from} and is named ${to} now.`]
}

function decision({ status, outcome, reason, attempts, lastError }: ExplainedEvent): string[] {
  const tried = attempts > 0 ? [`It was tried ${attempts} times without success.`] : []
  const failed = lastError !== null ? [`The last failure: ${lastError}`] : []
  if (outcome === null)
    return status === 'dead'
      ? [...tried, `It could not be decided: ${reason ?? lastError ?? 'no reason is known'}`]
      : [...tried, ...failed, 'It is not decided yet.']
  return [`${outcomeInWords[outcome]}: ${reason ?? 'no reason is known'}`]
}

const outcomeInWords: Record<Outcome, string> = {
  accepted: 'Accepted',
  unchanged: 'Nothing new',
  stale: 'Out of date',
  refused: 'Refused',
  superseded: 'Left to another event',
  conflict: 'Conflict',
  ignored: 'Ignored',
  unreadable: 'Unreadable',
}

function erasure({ erasedAt }: ExplainedEvent): string[] {
  return erasedAt === null ? [] : [`What it held of guests was erased at ${tellMoment(erasedAt)}.`]
}
