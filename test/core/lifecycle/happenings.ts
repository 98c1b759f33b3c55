import type { Fact } from '@booking-webhooks/core'
import { fact, type Saying } from './facts.js'

let clock = 0

// Times of facts that give none count from 1 in each test.
beforeEach(() => {
  clock = 0
})

export type Happening = Partial<Omit<Saying, 'kind' | 'target'>> & {
  at?: number
  hour?: number
  host?: string | string[]
}

/** What happens to one booking. Its meeting has the same name in small letters, unless `meetingId` names another. */
export function happens(kind: Fact['kind'], target: Saying['target'], options: Happening = {}): Fact {
  const { at = ++clock, hour, host = 'olga', ...saying } = options
  const place =
    hour === undefined
      ? {}
      : {
          startsUs: hour * 3_600_000_000,
          endsUs: hour * 3_600_000_000 + 1,
          resources: [host].flat(),
          meetingId: typeof target === 'string' ? target.toLowerCase() : target.kind,
        }
  return fact({ kind, target, occurredUs: at, ...place, ...saying })
}

export const requested = (id: string, options: Happening = {}) =>
  happens('requested', id, { hour: 10, ...options })
export const created = (id: string, options: Happening = {}) =>
  happens('created', id, { hour: 10, ...options })
export const moved = (id: string, hour: number, options: Happening = {}) =>
  happens('moved', id, { hour, key: `moved ${id} to ${hour}`, ...options })
export const half = (id: string, previous: string, options: Happening = {}) =>
  happens('half', id, { previous, ...options })
export const canceled = (id: string, options: Happening = {}) => happens('canceled', id, options)
export const rejected = (id: string, options: Happening = {}) => happens('rejected', id, options)
export const updated = (id: string, title: string, options: Happening = {}) =>
  happens('updated', id, { key: `updated ${id} to ${title}`, details: { booking: { title } }, ...options })
export const noShow = (id: string, is: boolean, options: Happening = {}) =>
  happens('no_show', id, { key: `${is ? 'no-show' : 'no no-show'} ${id}`, noShow: is, ...options })
