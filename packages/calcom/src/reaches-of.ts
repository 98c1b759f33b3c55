import { endReaches } from './end-reaches.js'
import { noShowReaches, paymentReach } from './mark-reaches.js'
import type { Hash } from './person.js'
import { placeReaches } from './place-reaches.js'
import { type Named, type Reaches, reach } from './reach.js'
import { meetingTarget } from './target.js'
import type { Trigger } from './trigger.js'

/** Whom a delivery is about. */
export function reachesOf(delivery: Named, { kind }: Trigger, hash: Hash): Reaches {
  switch (kind) {
    case 'created':
    case 'requested':
    case 'moved':
      return placeReaches(delivery, kind, hash)
    case 'canceled':
    case 'rejected':
      return endReaches(delivery, kind, hash)
    case 'no_show':
      return noShowReaches(delivery, hash)
    case 'paid':
      return [paymentReach(delivery, hash)]
    default:
      return [reach(kind, meetingTarget(delivery.uid), delivery)]
  }
}
