import { type Answer, objectOrNull, textOrNull } from '@booking-webhooks/core'

/** The answers that have a value, by field: `{ slug: { label, value } }`, or the bare values that some `MEETING_*` hold. */
export function answersOf(responses: unknown): Answer[] {
  return Object.entries(objectOrNull<Record<string, unknown>>(responses) ?? {}).flatMap(([key, field]) => {
    const answer = textOf(valueIn(field))
    return answer === null ? [] : [{ question: labelOf(field), answer, key: textOrNull(key) }]
  })
}

/** The value that was given in one field. */
export function answerIn(responses: unknown, slug: string): unknown {
  const fields = objectOrNull<Record<string, unknown>>(responses)
  return fields && Object.hasOwn(fields, slug) ? valueIn(fields[slug]) : null
}

function valueIn(field: unknown): unknown {
  const wrapped = objectOrNull<{ label: unknown; value: unknown }>(field)
  return wrapped && ('label' in wrapped || 'value' in wrapped) ? wrapped.value : field
}

function labelOf(field: unknown): string | null {
  return textOrNull(objectOrNull<{ label: unknown }>(field)?.label)
}

/** Several choices are joined by commas, the parts of one answer (`firstName`, `lastName`) by blanks. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null) return textOrNull(value)
  const parts = Object.values(value).flatMap(part => textOf(part) ?? [])
  return textOrNull(parts.join(Array.isArray(value) ? ', ' : ' '))
}
