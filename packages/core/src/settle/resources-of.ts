import type { InterpretedFact } from '../adapter/adapter.js'
import { describeError } from '../event/describe-error.js'
import { BookingWebhooksError } from '../event/errors.js'
import type { StoredEvent } from '../inbox/stored-event.js'
import type { Deciding } from './deciding.js'

/** The option `resources` threw, or answered with what names nothing. */
export class ResourcesError extends BookingWebhooksError {
  constructor(message: string, options?: ErrorOptions) {
    super('INVALID_OPTION', message, options)
  }
}

/** The database's limit, in characters. */
const longestName = 600

/** Who or what a fact occupies, as the option `resources` names it, else by the provider's ids; null where the fact does not say. Throws ResourcesError. */
export function resourcesOf(
  { provider, account }: StoredEvent,
  fact: InterpretedFact['fact'],
  { resources }: Pick<Deciding, 'resources'>,
): string[] | null {
  if (fact.resources === null) return null
  if (!resources) return fact.resources.map(resource => `${provider}/${account}/${resource}`)
  const bookingId = fact.target.kind === 'booking' ? fact.target.id : null
  const about = { provider, account, bookingId, meetingId: fact.meetingId, resources: fact.resources }
  return names(answerOf(() => resources(about)))
}

function answerOf(ask: () => unknown): unknown {
  try {
    return ask()
  } catch (error) {
    throw new ResourcesError(`The option resources threw: ${describeError(error)}`, { cause: error })
  }
}

function names(answer: unknown): string[] {
  if (Array.isArray(answer) && answer.every(isName)) return answer
  // What it would reject with is not heard by anybody else.
  if (answer instanceof Promise) answer.catch(() => {})
  throw new ResourcesError(
    `The option resources must return an array of names, each a text of 1 to ${longestName} characters, and not ${kindOf(answer)}.`,
  )
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name.length > 0 && name.length <= longestName && !name.includes('\0')
}

function kindOf(answer: unknown): string {
  if (Array.isArray(answer)) return 'an array with something else in it'
  if (answer instanceof Promise) return 'a promise (it cannot be async)'
  if (answer === undefined || answer === null) return String(answer)
  return `a value of type ${typeof answer}`
}
