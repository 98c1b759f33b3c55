import type { Adapter } from '../adapter/adapter.js'
import { invalidOption } from '../event/errors.js'
import type { BookingEvent } from '../event/event.js'
import type { InboxOptions } from '../inbox/inbox-options.js'
import type { Store } from '../inbox/store.js'
import { takesType } from '../settle/announce.js'
import { checkCalendar, checkedTakes, isType } from './checked-takes.js'
import type {
  CallbackSubscriber,
  Handlers,
  Subscriber,
  SubscriberOptions,
  TellContext,
  TransactionalContext,
  TransactionalSubscriber,
} from './subscriber.js'
import { type SubscriberSettings, settingsOf } from './subscriber-settings.js'

/** A subscriber with every option decided. */
export interface NamedSubscriber extends SubscriberSettings {
  name: string
  takes: string[]
  /** Whether its context has `trx`, and no `once`. */
  isTransactional: boolean
  tell(event: BookingEvent, context: TellContext | TransactionalContext<unknown>): unknown
}

/** The subscribers of the options, by name, checked: one that would leave a calendar wrong in silence is refused. */
export function subscribersOf<Adapters extends readonly Adapter[], Transaction>(
  options: InboxOptions<Adapters, Transaction>,
): Map<string, NamedSubscriber> {
  const named = new Map<string, NamedSubscriber>()
  // Also where each subscriber has its own: those of the inbox are for fetches, too.
  settingsOf(options, '')
  if (options.on) named.set('default', fromHandlers('default', options.on as Handlers, options, options))
  for (const [name, given] of Object.entries(options.subscribers ?? {})) {
    if (named.has(name))
      throw invalidOption(`subscribers: '${name}' is taken by \`on\`. Choose another name.`)
    if (!/^[\w.-]{1,64}$/.test(name))
      throw invalidOption('subscribers: a name has 1 to 64 letters, digits, dots, dashes or underscores.')
    named.set(name, fromGiven(name, given as Given, options))
  }
  return named
}

type Given = Handlers | Subscriber | CallbackSubscriber | TransactionalSubscriber<unknown>

function fromGiven(
  name: string,
  given: Given,
  defaults: SubscriberOptions & { slots?: boolean; store: Pick<Store, 'transactionalTimeoutMs'> },
): NamedSubscriber {
  if ('tell' in given && typeof given.tell === 'function') {
    const subscriber = given as Subscriber
    const takes = checkedTakes(name, subscriber.takes, defaults.slots)
    return {
      name,
      takes,
      isTransactional: false,
      // Only a transactional subscriber is given anything else. What another version of it took is not told.
      tell: (event, context) =>
        takesType(takes, event.type) ? subscriber.tell(event, context as TellContext) : undefined,
      ...settingsOf({ ...defaults, ...defined(subscriber) }, called(name)),
    }
  }
  if ('on' in given && typeof given.on === 'object' && given.on !== null) {
    const { on, transactional, ...own } = given as CallbackSubscriber | TransactionalSubscriber<unknown>
    const { transactionalTimeoutMs } = defaults.store
    const longest = transactional && transactionalTimeoutMs ? { timeoutMs: transactionalTimeoutMs } : {}
    const options = { ...defaults, ...longest, ...defined(own) }
    return {
      ...fromHandlers(name, on as Handlers, options, defaults),
      isTransactional: transactional === true,
    }
  }
  return fromHandlers(name, given as Handlers, defaults, defaults)
}

function fromHandlers(
  name: string,
  on: Handlers,
  options: SubscriberOptions,
  { slots }: { slots?: boolean },
): NamedSubscriber {
  const handlers = new Map(Object.entries(on).filter(([, handler]) => handler !== undefined))
  for (const [type, handler] of handlers) {
    if (!isType(type)) throw invalidOption(`on: '${type}' is no event type. Did you mean 'booking.${type}'?`)
    if (handler !== null && typeof handler !== 'function')
      throw invalidOption(`on: '${type}' must be a function, or null to leave it out on purpose.`)
  }
  if (handlers.get('booking.created'))
    checkCalendar(name, type => handlers.has(type), slots, 'Handle it, or set it to null.')
  return {
    name,
    takes: [...handlers].filter(([, handler]) => handler !== null).map(([type]) => type),
    isTransactional: false,
    tell: (event, context) => {
      // One that is null is left out, also where the others of its provider are taken.
      const type = handlers.has(event.type) || event.booking !== null ? event.type : 'provider.*'
      // Keys and handlers were typed together; the map forgets which belongs to which.
      return (handlers.get(type) as ((...given: unknown[]) => unknown) | null | undefined)?.(event, context)
    },
    ...settingsOf(options, called(name)),
  }
}

function called(name: string): string {
  return `The subscriber '${name}': `
}

function defined(options: SubscriberOptions): SubscriberOptions {
  const { timeoutMs, attempts, backoff } = options
  return Object.fromEntries(
    Object.entries({ timeoutMs, attempts, backoff }).filter(([, value]) => value !== undefined),
  )
}
