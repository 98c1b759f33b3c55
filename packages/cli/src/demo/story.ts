import { randomBytes } from 'node:crypto'
import { calendlyDelivery, type SampleInvitee } from '@booking-webhooks/calendly/testing'
import type { SampleDelivery } from '@booking-webhooks/core'

export interface Step {
  /** What happens, in plain words. */
  words: string
  delivery: SampleDelivery
}

/** The story that shows what the library is for: each step is something that providers do every day. */
export function demoStory(key: string): Step[] {
  const monday = nextMonday(new Date())
  const at = (hour: number) => new Date(monday.getTime() + hour * 3_600_000)
  const person = (name: string, number: number, hour: number): SampleInvitee => ({
    id: `IN${number}`,
    meeting: `EV${number}`,
    name: `${name} Example`,
    email: `${name.toLowerCase()}@example.com`,
    startsAt: at(hour),
  })
  const ann = person('Ann', 1, 10)
  const annMoved: SampleInvitee = { ...person('Ann', 2, 11), oldInvitee: ann }
  const bob = person('Bob', 3, 12)
  const cleo = person('Cleo', 4, 14)
  const dan = person('Dan', 5, 14)
  const eve = person('Eve', 6, 15)

  const begin = Date.now() - 60 * 60_000
  /** `minute` is when it happened; the steps are told in the order of arrival. */
  const step = (
    words: string,
    minute: number,
    event: string,
    invitee: SampleInvitee,
    signer = key,
  ): Step => ({
    words,
    delivery: calendlyDelivery({
      key: signer,
      event,
      title: words,
      at: new Date(begin + minute * 60_000),
      invitee: { bookedAt: new Date(begin + minute * 60_000), ...invitee },
    }),
  })
  const annBooks = step('Ann books Monday, 10:00', 0, 'invitee.created', ann)
  return [
    annBooks,
    { ...annBooks, words: 'the same delivery comes again' },
    step('Bob books 12:00 and cancels; his cancel comes first', 3, 'invitee.canceled', bob),
    step('Bob’s booking comes late', 2, 'invitee.created', bob),
    step('Ann moves to 11:00: first comes the end of 10:00', 10, 'invitee.canceled', {
      ...ann,
      newInvitee: annMoved,
    }),
    step('and then her new time', 10, 'invitee.created', annMoved),
    step(
      'Eve forges a booking, without the key',
      15,
      'invitee.created',
      eve,
      randomBytes(16).toString('hex'),
    ),
    step('Cleo books 14:00', 20, 'invitee.created', cleo),
    step('Dan is given 14:00 too', 21, 'invitee.created', dan),
    step('Cleo cancels, and 14:00 is Dan’s', 30, 'invitee.canceled', cleo),
  ]
}

function nextMonday(now: Date): Date {
  const days = ((8 - now.getUTCDay()) % 7) + 7
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days))
}
