/** A signed delivery as a provider would send it, made by an adapter's `./testing`. Invented data only. */
export interface SampleDelivery {
  /** What happens, in plain words. */
  title: string
  method: 'POST'
  /** Below the mount: `/calendly`, or `/calendly/<account>`. */
  path: string
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
}

/** What every sample takes, whichever the provider. */
export interface SampleOptions {
  /** The key to sign with. */
  key: string
  /** When the provider signs and sends it. Default: now. */
  sentAt?: Date
  /** Default `default`, which has no part in the path. */
  account?: string
}

/** What the stories of an adapter's `./testing` take: several may run at once without touching each other. */
export interface StoryOptions extends SampleOptions {
  /** Becomes part of every id: letters, digits and hyphens. */
  prefix?: string
  /** When the first meeting of the story starts. Default: a week after `sentAt`, on the hour. */
  startsAt?: Date
}

/** A sequence of deliveries that tells one story, in the order in which it happened. */
export type Story = (options: StoryOptions) => SampleDelivery[]
