import type { Adapter } from '../adapter/adapter.js'
import { invalidOption } from '../event/errors.js'
import type { BookingEvent } from '../event/event.js'
import type { InboxOptions } from '../inbox/inbox-options.js'
import type { Store } from '../inbox/store.js'
import { takesType } from '../settle/announce.js'
import { type BackoffOptions, defaultBackoff } from './backoff.js'
import type {
  CallbackSubscriber,
  Handlers,
  Subscriber,
  SubscriberOptions,
  TellContext,
  TransactionalContext,
  TransactionalSubscriber,
} from './subscriber.js'

/** A subscriber with every option decided. */
export interface NamedSubscriber {
  name: string
  takes: string[]
  /** Whether its context has `trx`, and no `once`. */
  isTransactional: boolean
  tell(event: BookingEvent, context: TellContext | TransactionalContext<unknown>): unknown
  timeoutMs: number
  attempts: number
  backoff: BackoffOptions
}

/** Long enough for a slow calendar API, short enough that a hung one is noticed. */
const defaultTimeoutMs = 30_000
/** With the default back-off about a day. */
const defaultAttempts = 25

/** The subscribers of the options, by name, checked: one that would leave a calendar wrong in silence is refused. */
export function subscribersOf<Adapters extends readonly Adapter[], Transaction>(
  options: InboxOptions<Adapters, Transaction>,
): Map<string, NamedSubscriber> {
  const named = new Map<string, NamedSubscriber>()
  if (options.on) named.set('default', fromHandlers('default', options.on as Handlers, options, options))
  for (const [name, given] of Object.entries(options.subscribers ?? {})) {
    if (named.has(name))
      throw invalidOption(`subscribers: '${name}' is taken by \`on\`. Choose another name.`)
    if (!/^[\w.-]{1,64}$/.test(name))
      throw invalidOption('subscribers: a name has 1 to 64 letters, digits, dots, dashes or underscores.')
    named.set(name, fromGiven(name, given as Given, options))
  }
  for (const subscriber of named.values()) check(subscriber)
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
    return {
      name,
      takes: [...subscriber.takes],
      isTransactional: false,
      // Only a transactional subscriber is given anything else. What another version of it took is not told.
      tell: (event, context) =>
        takesType(subscriber.takes, event.type) ? subscriber.tell(event, context as TellContext) : undefined,
      ...decided({ ...defaults, ...defined(subscriber) }),
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
  if (handlers.get('booking.created')) {
    for (const type of slots === false
      ? ['booking.rescheduled']
      : ['booking.rescheduled', 'booking.conflict'])
      if (!handlers.has(type))
        throw invalidOption(
          `The subscriber '${name}' takes booking.created but not ${type}, so its calendar would go wrong in silence. Handle ${type}, or set it to null.`,
        )
  }
  return {
    name,
    takes: [...handlers].filter(([, handler]) => handler !== null).map(([type]) => type),
    isTransactional: false,
    tell: (event, context) => {
      const handler =
        handlers.get(event.type) ?? (event.booking === null ? handlers.get('provider.*') : undefined)
      // Keys and handlers were typed together; the map forgets which belongs to which.
      return (handler as ((...given: unknown[]) => unknown) | null | undefined)?.(event, context)
    },
    ...decided(options),
  }
}

function decided(options: SubscriberOptions): Pick<NamedSubscriber, 'timeoutMs' | 'attempts' | 'backoff'> {
  return {
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    attempts: options.attempts ?? defaultAttempts,
    backoff: { ...defaultBackoff, ...options.backoff },
  }
}

function check({ name, timeoutMs, attempts, backoff: { baseMs, capMs } }: NamedSubscriber): void {
  if (!(timeoutMs > 0)) throw invalidOption(`The subscriber '${name}': timeoutMs must be more than 0.`)
  if (!(attempts >= 1)) throw invalidOption(`The subscriber '${name}': attempts must be at least 1.`)
  if (!(baseMs > 0 && capMs >= baseMs))
    throw invalidOption(`The subscriber '${name}': backoff needs 0 < baseMs <= capMs.`)
}

const bookingTypes = new Set([
  'booking.requested',
  'booking.created',
  'booking.rescheduled',
  'booking.canceled',
  'booking.rejected',
  'booking.updated',
  'booking.no_show',
  'booking.paid',
  'booking.started',
  'booking.ended',
  'booking.conflict',
])

function isType(type: string): boolean {
  return bookingTypes.has(type) || (type.startsWith('provider.') && type.length > 'provider.'.length)
}

function defined(options: SubscriberOptions): SubscriberOptions {
  const { timeoutMs, attempts, backoff } = options
  return Object.fromEntries(
    Object.entries({ timeoutMs, attempts, backoff }).filter(([, value]) => value !== undefined),
  )
}
