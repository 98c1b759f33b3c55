/** What the fake answers unless it is told otherwise. Without `json`, and from 400 on, it is an error. */
export interface UsualAnswer {
  status: number
  json?: unknown
  /** Of an error. */
  message?: string
}

export function bodyOf({ status, json, message }: UsualAnswer): string {
  if (json !== undefined) return JSON.stringify(json)
  return status < 400 ? '' : errorBody(status, message)
}

/** An error as the API words it. https://developers.acuityscheduling.com/reference/api-errors */
export function errorBody(status: number, message = 'Invented.'): string {
  return JSON.stringify({ status_code: status, message, error: names[status] ?? 'error' })
}

const names: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'too_many_requests',
}
