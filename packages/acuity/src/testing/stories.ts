import { createHash } from 'node:crypto'
import type { Story, StoryOptions } from '@booking-webhooks/core'
import { type AcuitySampleDelivery, acuityDelivery } from './delivery.js'
import { sampleAppointment } from './sample-appointment.js'

/**
 * Everything that the adapter knows, as stories. Names are the same in all providers where they tell the same.
 * Before a delivery is sent, its `appointment` is to be `put` into the fake that plays Acuity's API.
 */
export const acuityStories = {
  book: options => [booked(stage(options))],
  cancel: options => {
    const scene = stage(options)
    return [booked(scene), canceled(scene)]
  },
  reschedule: options => {
    const scene = stage(options)
    const { ann, tell, inDays } = scene
    return [
      booked(scene),
      tell('Ann moves by a day', 'rescheduled', { ...ann, datetime: inDays(1) }),
      tell('Ann moves by another day, in the same bytes', 'rescheduled', { ...ann, datetime: inDays(2) }),
    ]
  },
  'reschedule-chain': options => {
    const scene = stage(options)
    const { ann, tell, inDays } = scene
    const moves = [1, 2, 3].map(days =>
      tell('Ann moves by a day', 'rescheduled', { ...ann, datetime: inDays(days) }),
    )
    return [booked(scene), ...moves]
  },
  'late-create': options => {
    const scene = stage(options)
    const late = scene.tell('Ann had booked', 'scheduled', { ...scene.ann, ...over })
    return [canceled(scene), late]
  },
  'no-show': options => {
    const scene = stage(options)
    const missed = { ...scene.ann, ...over, noShow: true }
    return [
      booked(scene),
      scene.tell('Ann does not come', 'canceled', missed),
      scene.tell('the mark is taken back', 'changed', { ...missed, noShow: false }),
    ]
  },
  group: options => {
    const scene = stage(options)
    const yoga = { type: 'Group Yoga', classID: scene.ann.id + 500 }
    const ann = { ...scene.ann, ...yoga }
    return [
      scene.tell('Ann takes a place in a class', 'scheduled', ann),
      scene.tell('Bob takes another', 'scheduled', { ...scene.bob, ...yoga }),
      scene.tell('Ann gives hers up', 'canceled', { ...ann, ...over }),
    ]
  },
  'double-booking': options => {
    const scene = stage(options)
    return [
      booked(scene),
      scene.tell('staff give Bob the same time', 'scheduled', scene.bob),
      { ...canceled(scene), title: 'Ann cancels, and Bob gets it' },
    ]
  },
  retry: options => {
    const delivery = booked(stage(options))
    return [delivery, { ...delivery, title: 'the same again' }]
  },
  changed: options => {
    const scene = stage(options)
    const email = 'ann.example@example.com'
    return [booked(scene), scene.tell('Ann changes her address', 'changed', { ...scene.ann, email })]
  },
  order: options => {
    const id = stage(options).ann.id
    return [acuityDelivery({ ...options, title: 'Ann buys a package', action: 'order.completed', id })]
  },
  unknown: options => {
    const id = stage(options).ann.id
    const title = 'something that did not exist yesterday'
    const fields = { calendarID: undefined, appointmentTypeID: undefined }
    return [acuityDelivery({ ...options, title, action: 'waitlist.joined', id, fields })]
  },
} satisfies Record<string, Story>

type Scene = ReturnType<typeof stage>

/** What a cancel changes beside the status. */
const over = { canceled: true, canClientCancel: false, canClientReschedule: false }

/** People, a calendar and a clock; `prefix` keeps one story's ids and slots apart from another's. */
function stage(options: StoryOptions) {
  const { prefix = '', sentAt = new Date(), startsAt = aWeekAfter(sentAt) } = options
  const id = firstId(prefix)
  const inDays = (days: number) => written(new Date(startsAt.getTime() + days * 86_400_000))
  const person = (firstName: string, number: number) =>
    sampleAppointment({
      id: id + number,
      calendarID: id,
      datetime: inDays(0),
      datetimeCreated: written(sentAt),
      firstName,
      lastName: 'Example',
      email: `${firstName.toLowerCase()}@example.com`,
    })
  return {
    inDays,
    ann: person('Ann', 1),
    bob: person('Bob', 2),
    tell: (title: string, action: string, appointment: ReturnType<typeof person>): AcuitySampleDelivery =>
      acuityDelivery({ ...options, title, action, appointment }),
  }
}

function booked({ ann, tell }: Scene): AcuitySampleDelivery {
  return tell('Ann books', 'scheduled', ann)
}

function canceled({ ann, tell }: Scene): AcuitySampleDelivery {
  return tell('Ann cancels', 'canceled', { ...ann, ...over })
}

/** Acuity's ids are numbers: the prefix becomes their leading digits. */
function firstId(prefix: string): number {
  const digits = createHash('sha256').update(prefix).digest().readUInt32BE() % 10_000_000
  return 1_000_000_000 + digits * 1_000
}

/** As Acuity writes instants: whole seconds, an offset without a colon. */
function written(at: Date): string {
  return `${at.toISOString().slice(0, 19)}+0000`
}

function aWeekAfter(at: Date): Date {
  const hours = Math.ceil(at.getTime() / 3_600_000)
  return new Date((hours + 7 * 24) * 3_600_000)
}
