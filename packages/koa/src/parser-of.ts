import type { KoaContext } from './koa-context.js'

/** The body parser that ran, by what it left; null where something else took the body. */
export function parserOf({ req, request }: KoaContext): string | null {
  if (typeof request.rawBody === 'string') return 'koa-bodyparser (or @koa/bodyparser)'
  return request.body === undefined && req.body === undefined ? null : 'koa-body'
}
