import { calendly } from '@booking-webhooks/calendly'
import {
  type CalendlyDeliveryOptions,
  calendlyDelivery,
  type SampleInvitee,
} from '@booking-webhooks/calendly/testing'
import { type Driver, emailOf, type Name } from './driver.js'

const key = 'a-signing-key-for-tests'

type Invitee = SampleInvitee & { id: string; meeting: string }

/** A move is a cancel of one invitee and a create of the next. */
export async function calendlyDriver(): Promise<Driver> {
  const invitees = new Map<Name, Invitee[]>()
  let taken = 0

  const current = (who: Name) => invitees.get(who)!.at(-1)!
  const send = (event: string, at: Date, more: Partial<CalendlyDeliveryOptions>) =>
    calendlyDelivery({ key, event, at, sentAt: at, ...more })
  function add(who: Name, startsAt: Date, bookedAt: Date, more: SampleInvitee = {}): Invitee {
    const before = invitees.get(who) ?? []
    const id = `${who}${before.length + 1}`
    const invitee = {
      id,
      meeting: `EV-${id}`,
      name: `${who} Example`,
      email: emailOf(who),
      startsAt,
      bookedAt,
      ...more,
    }
    invitees.set(who, [...before, invitee])
    return invitee
  }

  return {
    adapter: calendly({ signingKey: key }),
    movesInPlace: false,
    books: (who, startsAt, at) => [send('invitee.created', at, { invitee: add(who, startsAt, at) })],
    joins(who, startsAt, at) {
      taken += 1
      const seats = { limit: 10, active: taken }
      const invitee = add(who, startsAt, at, { meeting: 'EV-group', seats })
      return [send('invitee.created', at, { invitee })]
    },
    moves(who, startsAt, at) {
      const old = current(who)
      const moved = add(who, startsAt, at)
      return [
        send('invitee.canceled', at, { invitee: { ...old, newInvitee: moved } }),
        send('invitee.created', at, { invitee: { ...moved, oldInvitee: old } }),
      ]
    },
    cancels(who, by, at) {
      const invitee = current(who)
      const seats = invitee.seats && { limit: 10, active: --taken }
      const canceler = { type: by === 'host' ? 'host' : 'invitee' } as const
      return [send('invitee.canceled', at, { invitee: { ...invitee, seats }, canceler })]
    },
    marks: (who, noShow, at) => [
      send(noShow ? 'invitee_no_show.created' : 'invitee_no_show.deleted', at, { invitee: current(who) }),
    ],
    elsewhere: at => [
      send('routing_form_submission.created', at, {
        payload: { uri: 'https://api.calendly.com/routing_form_submissions/RS1' },
      }),
    ],
    ids: who =>
      invitees
        .get(who)!
        .map(({ id, meeting }) => `https://api.calendly.com/scheduled_events/${meeting}/invitees/${id}`),
    close: async () => {},
  }
}
