import { BookingWebhooksError } from '../event/errors.js'

/** Answered with 413. */
export function bodyTooLarge(maxBodyBytes: number): BookingWebhooksError {
  return new BookingWebhooksError(
    'BODY_TOO_LARGE',
    `The body is larger than maxBodyBytes, ${maxBodyBytes} bytes. Raise it if the provider sends such bodies.`,
  )
}

/** The client went away or was too slow in the middle of its body. */
export function bodyCutOff(why: string): BookingWebhooksError {
  return new BookingWebhooksError('BODY_CUT_OFF', `${why} Nothing was stored; the provider sends it again.`)
}

/** Someone was faster. `parser` is its name as one mounts it, `express.json()`; null where it cannot be told. */
export function bodyAlreadyParsed(parser: string | null): BookingWebhooksError {
  return new BookingWebhooksError(
    'BODY_ALREADY_PARSED',
    `${parser ?? 'A body parser'} ran before bookingWebhooks(), and the signature covers the raw bytes. ` +
      `Mount bookingWebhooks() before ${parser ?? 'it'}, or have it keep the bytes in request.rawBody.`,
  )
}

/** Answered with 415. */
export function encodingUnsupported(why: string): BookingWebhooksError {
  return new BookingWebhooksError('ENCODING_UNSUPPORTED', why)
}
