import type { FactKind, Target } from '@booking-webhooks/core'
import type { Delivery } from './delivery.js'
import type { Person } from './person.js'

/** What one body does to one of those that it is about. */
export interface Reach {
  kind: FactKind
  target: Target
  previous: Target | null
  /** The meeting afterwards. */
  meetingId: string
  person: Person | null
  noShow: boolean | null
  /** True where others of the meeting may be meant too: the API knows. */
  isPartial: boolean
}

/** A delivery that names its meeting. */
export type Named = Delivery & { uid: string }

/** Whom a body reaches, one by one; or why that cannot be told, as the end of a sentence. */
export type Reaches = Reach[] | { problem: string }

/** A reach with everything that is not said of it left out. */
export function reach(kind: FactKind, target: Target, { uid }: Named, more: Partial<Reach> = {}): Reach {
  return {
    kind,
    target,
    previous: null,
    meetingId: uid,
    person: null,
    noShow: null,
    isPartial: false,
    ...more,
  }
}

/** A seat is somebody's, and whose is not guessed at: the others of the meeting would pay for it. */
export const namesNobody = { problem: 'it is about a seat and names nobody' }
