import type { SampleDelivery, Story, StoryOptions } from '@booking-webhooks/core'
import { type CalendlyDeliveryOptions, calendlyDelivery } from './delivery.js'
import { aWeekAfter, instant, type SampleInvitee, sampleTracking } from './payload.js'

/** Everything that the adapter knows, as stories. Names are the same in all providers where they tell the same. */
export const calendlyStories = {
  book: options => [booked(stage(options))],
  cancel: options => {
    const scene = stage(options)
    const canceler = { type: 'invitee', reason: 'Something came up' } as const
    return [
      booked(scene),
      scene.tell('Ann cancels', 'invitee.canceled', 10, { invitee: scene.ann, canceler }),
    ]
  },
  reschedule: options => {
    const scene = stage(options)
    return [booked(scene), ...moved(scene)]
  },
  'reschedule-reversed': options => {
    const scene = stage(options)
    return [booked(scene), ...moved(scene).reverse()]
  },
  'reschedule-chain': options => {
    const scene = stage(options)
    const { prefix, ann, startsAt, after } = scene
    const inDays = (days: number): SampleInvitee => ({
      ...ann,
      id: `${prefix}IN1-${days}`,
      meeting: `${prefix}EV1-${days}`,
      bookedAt: after(days * 10),
      startsAt: new Date(startsAt.getTime() + days * dayMs),
    })
    const chain = [ann, inDays(1), inDays(2), inDays(3)]
    const moves = chain
      .slice(1)
      .flatMap((to, index) => halves(scene, chain[index] ?? ann, to, index * 10 + 10))
    return [booked(scene), ...moves]
  },
  'late-create': options => {
    const scene = stage(options)
    return [canceled(scene), booked(scene)]
  },
  'no-show': options => {
    const scene = stage(options)
    const about = { invitee: scene.ann, noShow: `${scene.prefix}NS1` }
    return [
      booked(scene),
      scene.tell('the host marks Ann as a no-show', 'invitee_no_show.created', 20, about),
      scene.tell('the host takes the mark back', 'invitee_no_show.deleted', 30, about),
    ]
  },
  group: options => {
    const scene = stage(options)
    const seat = (active: number) => ({ meeting: scene.ann.meeting, seats: { limit: 10, active } })
    const ann = { ...scene.ann, ...seat(1) }
    const bob = { ...scene.bob, ...seat(2) }
    return [
      scene.tell('Ann takes a seat', 'invitee.created', 0, { invitee: ann }),
      scene.tell('Bob takes another', 'invitee.created', 1, { invitee: bob }),
      scene.tell('Ann gives hers up', 'invitee.canceled', 10, { invitee: { ...ann, ...seat(1) } }),
    ]
  },
  'double-booking': options => {
    const scene = stage(options)
    return [
      booked(scene),
      scene.tell('Bob is given the same time', 'invitee.created', 5, { invitee: scene.bob }),
      scene.tell('Ann cancels, and Bob gets it', 'invitee.canceled', 10, { invitee: scene.ann }),
    ]
  },
  retry: options => {
    const delivery = booked(stage(options))
    return [delivery, { ...delivery, title: 'the same again' }]
  },
  'old-payload': options => {
    const scene = stage(options)
    const payload = { scheduled_event: undefined, first_name: undefined, last_name: undefined }
    return [scene.tell('Ann books, told the old way', 'invitee.created', 0, { invitee: scene.ann, payload })]
  },
  'routing-form': options => {
    const scene = stage(options)
    const payload = routingForm(scene)
    return [scene.tell('Ann fills in a routing form', 'routing_form_submission.created', 0, { payload })]
  },
  unknown: options => {
    const scene = stage(options)
    const payload = { uri: `https://api.calendly.com/meeting_polls/${scene.prefix}MP1` }
    return [scene.tell('something that did not exist yesterday', 'meeting_poll.created', 0, { payload })]
  },
} satisfies Record<string, Story>

const dayMs = 24 * 3_600_000

type Scene = ReturnType<typeof stage>

/** People, a host and a clock; `prefix` keeps one story's ids and slots apart from another's. */
function stage(options: StoryOptions) {
  const { prefix = '', sentAt = new Date(), startsAt = aWeekAfter(sentAt) } = options
  const after = (minutes: number) => new Date(sentAt.getTime() + (minutes - 60) * 60_000)
  const person = (name: string, number: number): SampleInvitee => ({
    id: `${prefix}IN${number}`,
    meeting: `${prefix}EV${number}`,
    name: `${name} Example`,
    email: `${name.toLowerCase()}@example.com`,
    hosts: [`${prefix}US1`],
    startsAt,
    bookedAt: after(number - 1),
  })
  return {
    prefix,
    startsAt,
    after,
    ann: person('Ann', 1),
    bob: person('Bob', 2),
    /** An hour passes between the first booking and the sending of it all. */
    tell: (title: string, event: string, minutes: number, more: Partial<CalendlyDeliveryOptions>) =>
      calendlyDelivery({ ...options, sentAt, title, event, at: after(minutes), ...more }),
  }
}

function booked({ ann, tell }: Scene): SampleDelivery {
  return tell('Ann books', 'invitee.created', 0, { invitee: ann })
}

function canceled({ ann, tell }: Scene): SampleDelivery {
  const canceler = { type: 'invitee', reason: 'Something came up' } as const
  return tell('Ann cancels', 'invitee.canceled', 10, { invitee: ann, canceler })
}

function moved(scene: Scene): SampleDelivery[] {
  const { prefix, ann, startsAt, after } = scene
  const startsNextDay = new Date(startsAt.getTime() + dayMs)
  const ids = { id: `${prefix}IN1b`, meeting: `${prefix}EV1b` }
  return halves(scene, ann, { ...ann, ...ids, bookedAt: after(10), startsAt: startsNextDay }, 10)
}

/** Both halves of a move, which Calendly sends with the same envelope time. */
function halves({ tell }: Scene, from: SampleInvitee, to: SampleInvitee, minutes: number): SampleDelivery[] {
  return [
    tell('Ann moves: the old time ends', 'invitee.canceled', minutes, {
      invitee: { ...from, newInvitee: to },
    }),
    tell('Ann moves: the new time', 'invitee.created', minutes, { invitee: { ...to, oldInvitee: from } }),
  ]
}

function routingForm({ prefix, after }: Scene): Record<string, unknown> {
  return {
    uri: `https://api.calendly.com/routing_form_submissions/${prefix}RS1`,
    routing_form: 'https://api.calendly.com/routing_forms/RF1',
    questions_and_answers: [{ question_uuid: null, question: 'Industry?', answer: 'IT & Software' }],
    tracking: sampleTracking(),
    result: { type: 'event_type', value: 'https://api.calendly.com/event_types/ET1' },
    submitter: null,
    submitter_type: null,
    created_at: instant(after(0)),
    updated_at: instant(after(0)),
  }
}
