import type { ExpressRequest } from './express-request.js'

/** The body parser that ran, by what it left; null where something else took the body. */
export function parserOf({ body, headers }: ExpressRequest): string | null {
  if (typeof body === 'string') return 'express.text()'
  if (typeof body !== 'object') return null
  return headers['content-type']?.includes('urlencoded') ? 'express.urlencoded()' : 'express.json()'
}
