import {
  type CalcomDeliveryOptions,
  calcomDelivery,
  type SampleBooking,
} from '@booking-webhooks/calcom/testing'
import { hash } from './at.js'
import { exampleSecret } from './examples.js'

export const deeds = [
  'book',
  'request',
  'answer',
  'reschedule',
  'cancel',
  'ask for another time',
  'reassign',
  'mark',
  'take a seat',
  'take a seat',
  'leave',
  'move a seat',
  'move a meeting',
  'cancel a meeting',
] as const

export interface Deed {
  does: (typeof deeds)[number]
  /** Whom it happens to, where to, how: each is reduced to what there is to choose from. */
  whom: number
  where: number
  flag: boolean
  /** Sent by a second webhook too, some milliseconds later. */
  isTwice: boolean
}

/** What truly happened at Cal.com, and the bodies that it sent. */
export interface History {
  bodies: Uint8Array[]
  statuses: Map<string, string>
  /** Who stands at which start, in µs; null where Cal.com gave one host's time away twice. */
  standing: Map<string, number> | null
  /** The uids of meetings with seats: bookings of nobody, but cancels of people never heard of are told under them. */
  meetings: Set<string>
}

interface Single {
  sample: SampleBooking & { uid: string; startsAt: Date }
  status: 'requested' | 'confirmed' | 'asked' | 'over'
}

interface Group {
  sample: SampleBooking & { uid: string; startsAt: Date }
  /** Who sits there, by the booking's id. */
  seats: { id: string; person: number; seat: string }[]
}

const people = ['ann', 'bo', 'cy'].map(name => ({ name, email: `${name}@example.com` }))
const hosts = [11, 12].map(id => ({ id, name: `Host ${id}`, email: `host${id}@example.com` }))
const start = Date.parse('2026-01-15T09:00:00Z')

/** Plays deeds one after another, a minute apart; those that are not possible are skipped. */
export function simulate(plan: readonly Deed[]): History {
  const bodies: Uint8Array[] = []
  const statuses = new Map<string, string>()
  const singles: Single[] = []
  const groups: Group[] = []
  const meetings = new Set<string>()
  let numberOfIds = 0
  let minute = 0
  let isDoubleBooked = false

  const newId = (what: string) => `${what}${++numberOfIds}`
  const time = (where: number) => new Date(Date.UTC(2026, 1, 3 + (where % 4), 14))
  const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
    items[number % items.length]
  const among = (...wanted: Single['status'][]) => singles.filter(({ status }) => wanted.includes(status))

  function send(
    deed: Deed,
    trigger: string,
    booking: SampleBooking,
    more: Partial<CalcomDeliveryOptions> = {},
  ): void {
    const sentAt = new Date(start + minute * 60_000)
    for (const at of deed.isTwice ? [sentAt, new Date(sentAt.getTime() + 4)] : [sentAt])
      bodies.push(calcomDelivery({ key: exampleSecret, trigger, booking, sentAt, at, ...more }).body)
  }

  function add(sample: Single['sample'], status: 'requested' | 'confirmed'): void {
    singles.push({ sample, status })
    statuses.set(sample.uid, status)
  }

  const acts: Record<Deed['does'], (deed: Deed) => void> = {
    book(deed) {
      const sample = newSingle(deed)
      add(sample, 'confirmed')
      send(deed, 'BOOKING_CREATED', sample)
    },
    request(deed) {
      const sample = newSingle(deed)
      add(sample, 'requested')
      send(deed, 'BOOKING_REQUESTED', sample)
    },
    answer(deed) {
      const one = pick(among('requested'), deed.whom)
      if (!one) return
      one.status = deed.flag ? 'confirmed' : 'over'
      statuses.set(one.sample.uid, deed.flag ? 'confirmed' : 'rejected')
      // Some versions name the host of an accept by address alone.
      const { name, email } = one.sample.host ?? {}
      const payload = deed.where % 2 === 0 ? { organizer: { name, email } } : {}
      if (deed.flag) send(deed, 'BOOKING_CREATED', one.sample, { isAccepted: true, payload })
      else send(deed, 'BOOKING_REJECTED', one.sample)
    },
    reschedule(deed) {
      const one = pick(among('confirmed', 'asked'), deed.whom)
      if (!one) return
      const sample = { ...one.sample, uid: newId('uid'), startsAt: time(deed.where), replaces: one.sample }
      one.status = 'over'
      statuses.set(one.sample.uid, 'rescheduled')
      add(sample, deed.flag ? 'confirmed' : 'requested')
      send(deed, deed.flag ? 'BOOKING_RESCHEDULED' : 'BOOKING_REQUESTED', sample)
    },
    cancel(deed) {
      const one = pick(among('confirmed', 'requested'), deed.whom)
      if (!one) return
      one.status = 'over'
      statuses.set(one.sample.uid, 'canceled')
      send(deed, 'BOOKING_CANCELLED', one.sample)
    },
    'ask for another time'(deed) {
      const one = pick(among('confirmed'), deed.whom)
      if (!one) return
      one.status = 'asked'
      statuses.set(one.sample.uid, 'canceled')
      const payload = deed.flag ? { seatsPerTimeSlot: undefined } : {}
      send(deed, 'BOOKING_CANCELLED', one.sample, { canceler: { asksForAnotherTime: true }, payload })
    },
    reassign(deed) {
      const one = pick(among('confirmed'), deed.whom)
      if (!one) return
      one.sample = { ...one.sample, host: pick(hosts, deed.where) }
      send(deed, 'BOOKING_REASSIGNED', one.sample)
    },
    mark(deed) {
      const samples = [...among('confirmed').map(({ sample }) => sample), ...seated()]
      const sample = pick(samples, deed.whom)
      if (!sample) return
      if (deed.where % 3 === 0) send(deed, 'BOOKING_PAID', { ...sample, paymentId: ++numberOfIds })
      else
        send(deed, 'BOOKING_NO_SHOW_UPDATED', sample, {
          marks: [{ email: sample.email ?? '', noShow: deed.flag }],
        })
    },
    'take a seat'(deed) {
      const person = deed.whom % people.length
      let group = pick(groups, deed.where)
      if (!group || deed.where % 3 === 0) group = open(deed)
      if (group.seats.some(seat => seat.person === person)) return
      sit(deed, group, person)
    },
    leave(deed) {
      const group = pick(groups, deed.where)
      const seat = group && pick(group.seats, deed.whom)
      if (!group || !seat) return
      statuses.set(seat.id, 'canceled')
      stand(group, seat)
      const payload = deed.flag ? {} : { seatsPerTimeSlot: undefined }
      send(deed, 'BOOKING_CANCELLED', { ...group.sample, ...people[seat.person] }, { payload })
    },
    'move a seat'(deed) {
      const group = pick(groups, deed.where)
      const seat = group && pick(group.seats, deed.whom)
      if (!group || !seat) return
      const others = groups.filter(
        one => one !== group && one.seats.every(({ person }) => person !== seat.person),
      )
      const to = deed.flag ? pick(others, deed.where) : undefined
      stand(group, seat)
      const target = to ?? open(deed)
      // Onto a time of its own it gets a new seat; into a meeting of others it takes its seat along.
      const name = to ? seat.seat : newId('seat')
      const id = `seat:${name}`
      if (seat.id !== id) statuses.set(seat.id, 'rescheduled')
      statuses.set(id, 'confirmed')
      target.seats.push({ id, person: seat.person, seat: name })
      const booking = { ...target.sample, ...people[seat.person], seat: name, replaces: group.sample }
      send(deed, 'BOOKING_RESCHEDULED', booking, { payload: { rescheduleStartTime: undefined } })
    },
    'move a meeting'(deed) {
      const group = pick(groups, deed.whom)
      if (!group) return
      const onto = deed.flag ? pick(groups, deed.where) : undefined
      if (!onto || onto === group) {
        group.sample = { ...group.sample, startsAt: time(deed.where) }
        send(deed, 'BOOKING_RESCHEDULED', { ...listed(group), replaces: group.sample })
        return
      }
      const moved = group.seats.filter(seat => onto.seats.every(({ person }) => person !== seat.person))
      // A single name might be one seat of several: then it takes the API to know.
      if (onto.seats.length + moved.length < 2) return
      for (const seat of group.seats) if (!moved.includes(seat)) statuses.set(seat.id, 'canceled')
      onto.seats.push(...moved)
      groups.splice(groups.indexOf(group), 1)
      send(deed, 'BOOKING_RESCHEDULED', { ...listed(onto), replaces: group.sample })
    },
    'cancel a meeting'(deed) {
      const group = pick(groups, deed.whom)
      if (!group) return
      for (const seat of group.seats) statuses.set(seat.id, 'canceled')
      groups.splice(groups.indexOf(group), 1)
      send(deed, 'BOOKING_CANCELLED', listed(group))
    },
  }

  function newSingle({ whom, where }: Deed): Single['sample'] {
    return {
      uid: newId('uid'),
      startsAt: time(where),
      host: pick(hosts, whom + where),
      ...people[whom % people.length],
    }
  }

  function open({ where, whom }: Deed): Group {
    const sample = { uid: newId('uid'), startsAt: time(where), host: pick(hosts, whom), seatsPerTimeSlot: 5 }
    const group = { sample, seats: [] }
    groups.push(group)
    meetings.add(sample.uid)
    return group
  }

  function sit(deed: Deed, { sample, seats }: Group, person: number): void {
    const seat = newId('seat')
    // Some servers leave the seat's id out of a create.
    const isNamed = deed.flag || seats.length === 0
    const id = isNamed
      ? `seat:${seat}`
      : `${sample.uid}~${hash(people[person].email)}@${start + minute * 60_000}`
    seats.push({ id, person, seat })
    statuses.set(id, 'confirmed')
    send(deed, 'BOOKING_CREATED', { ...sample, ...people[person], ...(isNamed && { seat }) })
  }

  function stand(group: Group, seat: Group['seats'][number]): void {
    group.seats.splice(group.seats.indexOf(seat), 1)
    if (group.seats.length === 0) groups.splice(groups.indexOf(group), 1)
  }

  /** A body that lists all who sit there. */
  function listed({ sample, seats }: Group): SampleBooking & { uid: string } {
    const [first, ...others] = seats.map(({ person }) => people[person])
    return { ...sample, ...first, others }
  }

  function seated(): SampleBooking[] {
    return groups.flatMap(({ sample, seats }) =>
      seats.map(({ person }) => ({ ...sample, ...people[person] })),
    )
  }

  function taken(): Map<string, Set<string>> {
    const samples = [...among('confirmed').map(({ sample }) => sample), ...groups.map(({ sample }) => sample)]
    const bySlot = new Map<string, Set<string>>()
    for (const { uid, host, startsAt } of samples) {
      const slot = `${host?.id}@${startsAt.getTime()}`
      bySlot.set(slot, (bySlot.get(slot) ?? new Set()).add(uid))
    }
    return bySlot
  }

  for (const deed of plan) {
    minute++
    acts[deed.does](deed)
    if ([...taken().values()].some(({ size }) => size > 1)) isDoubleBooked = true
  }

  const stands: [string, Date][] = [
    ...among('confirmed').map(({ sample }): [string, Date] => [sample.uid, sample.startsAt]),
    ...groups.flatMap(({ sample, seats }) => seats.map(({ id }): [string, Date] => [id, sample.startsAt])),
  ]
  const standing = new Map(stands.map(([id, startsAt]) => [id, startsAt.getTime() * 1000]))
  return { bodies, statuses, standing: isDoubleBooked ? null : standing, meetings }
}
