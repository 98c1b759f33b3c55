import { type Adapter, BookingWebhooksError, invalidOption } from '@booking-webhooks/core'
import { type AccountCalls, type AccountOptions, accountCalls } from '../account-calls.js'
import { jsonOf } from '../api.js'
import type { AcuityRaw } from '../raw.js'
import { type Ensured, type EnsureOptions, ensure } from './ensure.js'
import { type AcuityWebhook, type AcuityWebhookEvent, readWebhook } from './webhook.js'

/** The dynamic webhooks of one account. All reject with FETCH_FAILED, in Acuity's own words, where it refuses. */
export interface Subscriptions {
  /** All of them, of every target. */
  list(): Promise<AcuityWebhook[]>
  /** Makes one, also where there is one like it. `target` is an https URL, on port 443. */
  add(webhook: { event: AcuityWebhookEvent; target: string }): Promise<AcuityWebhook>
  /** Takes one away; one that is gone already is no error. */
  remove(id: string): Promise<void>
  /**
   * Leaves exactly one active webhook for each of `events` at `target`, and none at the targets of `retire`. Safe to
   * repeat, also after half of it failed.
   */
  ensure(wanted: EnsureOptions): Promise<Ensured>
}

/** Who is told what happens in the account, with the credentials and at the pace of `adapter`, which `acuity()` returned. */
export function subscriptions(
  adapter: Adapter<'acuity', AcuityRaw>,
  options: AccountOptions = {},
): Subscriptions {
  const calls = accountCalls(adapter, 'subscriptions()', options)
  const all: Subscriptions = {
    list: () => list(calls),
    async add({ event, target }) {
      checkTarget(target)
      const answer = await calls.ask({ method: 'POST', path: '/webhooks', json: { event, target } })
      return readable(readWebhook(jsonOf(answer)))
    },
    async remove(id) {
      if (!/^\d+$/.test(id)) throw invalidOption('remove() takes the id of a webhook, as list() gives it.')
      await calls.ask({ method: 'DELETE', path: `/webhooks/${id}` }, 404)
    },
    async ensure(wanted) {
      checkTarget(wanted?.target)
      return ensure(all, wanted)
    },
  }
  return all
}

async function list(calls: AccountCalls): Promise<AcuityWebhook[]> {
  const json = jsonOf(await calls.ask({ method: 'GET', path: '/webhooks' }))
  return readable(Array.isArray(json) ? json : null).map(one => readable(readWebhook(one)))
}

function readable<Read>(read: Read | null): Read {
  if (read === null)
    throw new BookingWebhooksError('FETCH_FAILED', 'Acuity answered, but not with webhooks that can be read.')
  return read
}

/** Acuity calls ports 443 and 80; in the clear a request's body would be anyone's. */
function checkTarget(target: string): void {
  const url = URL.canParse(target) ? new URL(target) : null
  if (url?.protocol !== 'https:' || url.port !== '')
    throw invalidOption('target must be an https URL on port 443, the only one that Acuity calls in secret.')
}
