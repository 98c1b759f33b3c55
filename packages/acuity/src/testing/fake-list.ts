import type { AcuityAppointment } from '../appointment.js'

/** The most that one list holds where it is not asked for more or less. */
const usualMax = 100

/**
 * `GET /appointments`: those whose date, in their calendar's own zone, is within `minDate` and `maxDate`, both included;
 * at most `max` of them. Canceled ones are there with `showall=true`, forms unless `excludeForms=true`.
 */
export function listed(all: readonly AcuityAppointment[], query: URLSearchParams): AcuityAppointment[] {
  const dateOf = ({ datetime = '' }: AcuityAppointment) => datetime.slice(0, 10)
  const startOf = ({ datetime = '' }: AcuityAppointment) => Date.parse(datetime)
  const minDate = query.get('minDate') ?? ''
  const maxDate = query.get('maxDate') ?? '9999'
  const calendar = query.get('calendarID')
  const direction = query.get('direction') === 'ASC' ? 1 : -1
  return all
    .filter(one => dateOf(one) >= minDate && dateOf(one) <= maxDate)
    .filter(one => query.get('showall') === 'true' || one.canceled !== true)
    .filter(one => calendar === null || String(one.calendarID) === calendar)
    .sort((one, other) => direction * (startOf(one) - startOf(other)))
    .slice(0, Number(query.get('max') ?? usualMax))
    .map(({ forms, ...row }) => (query.get('excludeForms') === 'true' ? row : { ...row, forms }))
}
