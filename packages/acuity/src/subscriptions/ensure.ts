import { invalidOption } from '@booking-webhooks/core'
import type { Subscriptions } from './subscriptions.js'
import type { AcuityWebhook, AcuityWebhookEvent } from './webhook.js'

export interface EnsureOptions {
  /** Where the account's deliveries go: an https URL, on port 443. */
  target: string
  /** Default `['appointment.changed']`, which covers everything about appointments. Beside it the others only repeat. */
  events?: readonly AcuityWebhookEvent[]
  /** Targets of earlier days, as they were given: they count against the account's 25 webhooks until they are gone. */
  retire?: readonly string[]
}

export interface Ensured {
  kept: AcuityWebhook[]
  added: AcuityWebhook[]
  removed: AcuityWebhook[]
}

/** How many webhooks an account may have. https://developers.acuityscheduling.com/docs/webhooks */
const room = 25

/** See `Subscriptions.ensure`. */
export async function ensure(
  { list, add, remove }: Pick<Subscriptions, 'list' | 'add' | 'remove'>,
  { target, events = ['appointment.changed'], retire = [] }: EnsureOptions,
): Promise<Ensured> {
  if (retire.includes(target)) throw invalidOption('ensure({ retire }) must not hold the target itself.')
  const found = await list()
  const { kept, silent, unwanted, lacking } = sorted(found, { target, events, retire })
  const isFull = found.length - silent.length + lacking.length > room
  // What still sends goes last, so that nothing is missed in between, unless it stands in the way.
  const [before, after] = isFull ? [[...silent, ...unwanted], []] : [silent, unwanted]
  for (const { id } of before) await remove(id)
  const added: AcuityWebhook[] = []
  for (const event of lacking) added.push(await add({ event, target }))
  for (const { id } of after) await remove(id)
  return { kept, added, removed: [...before, ...after] }
}

/** `silent` ones can go without a loss: Acuity has switched them off, or there is another one like them. */
function sorted(found: readonly AcuityWebhook[], { target, events, retire }: Required<EnsureOptions>) {
  const ours = found.filter(one => one.target === target)
  const kept: AcuityWebhook[] = []
  for (const event of new Set<string>(events)) {
    const first = ours.find(one => one.event === event && one.isActive)
    if (first) kept.push(first)
  }
  const isWanted = (one: AcuityWebhook) => events.some(event => event === one.event)
  return {
    kept,
    silent: ours.filter(one => !kept.includes(one) && (isWanted(one) || !one.isActive)),
    unwanted: found.filter(one =>
      one.target === target ? one.isActive && !isWanted(one) : retire.includes(one.target),
    ),
    lacking: [...new Set(events)].filter(event => !kept.some(one => one.event === event)),
  }
}
