import Koa from 'koa'
import Koa2 from 'koa-2'

/** Both majors, typed as the newer one: the tests use what they share. */
export const frameworks: [string, typeof Koa][] = [
  ['Koa 2', Koa2 as unknown as typeof Koa],
  ['Koa 3', Koa],
]
