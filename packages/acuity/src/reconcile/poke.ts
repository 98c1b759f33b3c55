import { BookingWebhooksError, type Inbox, invalidOption } from '@booking-webhooks/core'
import type { AccountCalls } from '../account-calls.js'
import { sign } from '../sign.js'

/** Has the inbox look again at an appointment, by the same door as Acuity's own requests. The action is `reconcile`. */
export async function poke(
  inbox: Pick<Inbox, 'receive' | 'now'>,
  { account, client }: Pick<AccountCalls, 'account' | 'client'>,
  id: string,
): Promise<void> {
  // The type's field, although empty, is what tells an appointment from an order.
  const form = new URLSearchParams({ action: 'reconcile', id, appointmentTypeID: '' })
  const body = new TextEncoder().encode(form.toString())
  const [key = ''] = (await client.keys(account)) ?? []
  const answer = await inbox.receive('acuity', {
    method: 'POST',
    publicUrl: null,
    headers: new Headers({ 'x-acuity-signature': sign(key, body) }),
    body,
    receivedAt: inbox.now(),
    account,
  })
  if (answer?.status === 200) return
  if (answer === null || answer.status === 401)
    throw invalidOption(
      'reconcile({ inbox }) must be the inbox that has this very adapter among its providers.',
    )
  throw new BookingWebhooksError(
    'STORE_UNAVAILABLE',
    `The inbox did not take it (${answer.status}). Reconcile again later.`,
  )
}
