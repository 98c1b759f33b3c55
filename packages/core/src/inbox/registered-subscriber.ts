/** A subscriber as all processes know it. */
export interface RegisteredSubscriber {
  name: string
  /** The types it takes; `*` for all, `provider.*` for all of a provider's own. */
  takes: string[]
}
