import type { Adapter } from '../adapter/adapter.js'
import { invalidOption } from '../event/errors.js'
import type { InboxOptions } from './inbox-options.js'

/** The adapters of these options, by provider. Throws INVALID_OPTION where there is none, two for one provider, or no store for them. */
export function adaptersOf<Adapters extends readonly Adapter[]>(
  options: Pick<InboxOptions<Adapters>, 'providers' | 'store'>,
): Map<string, Adapter> {
  if (!options.providers?.length) throw invalidOption('providers is empty. Give at least one adapter.')
  if (!options.store) throw invalidOption('store is required, such as knexStore(process.env.DATABASE_URL).')
  const adapters = new Map<string, Adapter>()
  for (const adapter of options.providers) {
    if (adapters.has(adapter.provider))
      throw invalidOption(`providers has two adapters for '${adapter.provider}'.`)
    adapters.set(adapter.provider, adapter)
  }
  return adapters
}
