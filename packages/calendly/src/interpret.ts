import type { Interpreted, StoredReading } from '@booking-webhooks/core'
import { factOf } from './fact.js'
import { contentOf } from './happening.js'

/** A stored reading as events. Pure, and never throws. */
export function interpret(reading: StoredReading): Interpreted[] {
  const key = reading.dedupeKey
  const content = contentOf(reading.body)
  if ('problem' in content) return [{ key, unreadable: content.problem }]
  const happening = content.happenings[reading.index]
  if (!happening) return [{ key, unreadable: 'the body no longer tells this' }]
  const { envelope: raw } = content
  if (happening.of === 'other')
    return [{ key, type: `provider.${happening.event}`, occurredUs: happening.occurredUs, raw }]
  return [{ key, fact: factOf(happening, null), raw }]
}
