import type { ExplainedEvent, ExplainedTell } from './explanation.js'
import { tellMoment } from './moment.js'

/** Who was told of an event, after how many attempts, and who was not. */
export function tellsInWords(event: ExplainedEvent): string[] {
  if (event.tells.length > 0)
    return event.tells.map((tell, index) => tellInWords(event, tell, isNewest(event, index)))
  switch (event.outcome) {
    case null:
    case 'unreadable':
    case 'ignored':
      return []
    case 'accepted':
      return ['No subscriber takes it, so nobody was told.']
    case 'conflict':
      return event.status === 'waiting'
        ? ['Subscribers hear of it once it has its time; until then they know only of the conflict.']
        : []
    case 'refused':
      return ['Nobody was told of it: no calendar is to hold a booking that is over.']
    default:
      return ['Nobody was told.']
  }
}

function isNewest({ tells }: ExplainedEvent, index: number): boolean {
  return tells.slice(index + 1).every(later => later.subscriber !== tells[index]?.subscriber)
}

function tellInWords({ id, type, erasedAt }: ExplainedEvent, tell: ExplainedTell, isLast: boolean): string {
  const { subscriber, replay, status, attempts, lastError, finishedAt } = tell
  const who = `Subscriber ${subscriber}`
  const again = replay === null ? '' : ' again, by a replay'
  const failure = lastError === null ? '' : ` (the last error: ${lastError})`
  const times = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  switch (status) {
    case 'done': {
      const at = finishedAt === null ? '' : ` at ${tellMoment(finishedAt)}`
      const tries = attempts > 1 ? `, at attempt ${attempts}${failure}` : ''
      return `${who} was told ${type}${again}${at}${tries}.`
    }
    case 'pending':
      return attempts === 0
        ? `${who} is still to be told${again}.`
        : `${who} is still to be told${again}: ${times} failed so far${failure}.`
    case 'dead': {
      // What was erased cannot be told again.
      const canBeTold = isLast && erasedAt === null
      const advice = canBeTold ? ` To try again: booking-webhooks replay --status dead --event ${id}` : ''
      return `${who} could not be told ${type}${again}: ${times} failed${failure}, and no more are made.${advice}`
    }
  }
}
