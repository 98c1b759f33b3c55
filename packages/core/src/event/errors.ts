/** Stable codes: a change is a breaking change. Each is documented in docs/errors.md. */
export type ErrorCode =
  | 'INVALID_OPTION'
  | 'SIGNATURE_MISSING'
  | 'SIGNATURE_MALFORMED'
  | 'SIGNATURE_MISMATCH'
  | 'SIGNATURE_TOO_OLD'
  | 'SIGNATURE_IN_FUTURE'
  | 'UNKNOWN_ACCOUNT'
  | 'KEYS_UNAVAILABLE'
  | 'BODY_ALREADY_PARSED'
  | 'BODY_TOO_LARGE'
  | 'BODY_CUT_OFF'
  | 'ENCODING_UNSUPPORTED'
  | 'FETCH_FAILED'
  | 'STORE_UNAVAILABLE'
  | 'STORE_BUSY'
  | 'STORE_REFUSED'
  | 'SCHEMA_OUTDATED'
  | 'SCHEMA_TOO_NEW'
  | 'LEASE_LOST'
  | 'STEP_NAME_REUSED'
  | 'TIMED_OUT'
  | 'TELL_FAILED'
  | 'FORWARD_REFUSED'
  | 'FORWARD_UNREACHABLE'
  | 'INBOX_CLOSED'

/** Every error of the library: what is wrong, then what to do. Never holds a secret, a body or a guest's data. */
export class BookingWebhooksError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BookingWebhooksError'
    this.code = code
  }
}

/** True for errors of the library, also of another copy of it (`instanceof` does not cross packages). */
export function isBookingWebhooksError(error: unknown, code?: ErrorCode): error is BookingWebhooksError {
  return (
    error instanceof Error &&
    error.name === 'BookingWebhooksError' &&
    (code === undefined || (error as BookingWebhooksError).code === code)
  )
}

/** An option that cannot work. Thrown at creation, never later. */
export function invalidOption(message: string): BookingWebhooksError {
  return new BookingWebhooksError('INVALID_OPTION', message)
}

export type SignatureErrorCode = Extract<ErrorCode, `SIGNATURE_${string}`>

/** A request that its provider did not sign with one of the account's keys. Answered with 401, no row. */
export function signatureError(code: SignatureErrorCode, message: string): BookingWebhooksError {
  return new BookingWebhooksError(code, message)
}
