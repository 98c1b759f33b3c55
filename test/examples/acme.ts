import { join } from 'node:path'
import type { AccountKeys, Adapter } from '@booking-webhooks/core'
import { examples } from './running.js'

/** The provider that the example your-own-adapter makes up. */
export const { acme }: { acme(options: { secret: AccountKeys }): Adapter<'acme'> } = await import(
  join(examples, 'your-own-adapter/acme.js')
)
