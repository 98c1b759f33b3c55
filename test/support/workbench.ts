import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CalendlyEnvelope, calendly } from '@booking-webhooks/calendly'
import { type CalendlyDeliveryOptions, calendlyDelivery } from '@booking-webhooks/calendly/testing'
import {
  type Adapter,
  type BookingEvent,
  createInbox,
  type Inbox,
  type InboxOptions,
  type Log,
  type LogFields,
  type Reply,
  type SampleDelivery,
  type TellContext,
} from '@booking-webhooks/core'
import { type KnexStoreOptions, knexStore } from '@booking-webhooks/knex'
import type { Knex } from 'knex'
import { received } from './received.js'

export const signingKey = 'a-signing-key-for-tests'

export interface LogLine extends LogFields {
  level: string
  message: string
}

/** Everything an inbox is made of, on a database file of its own, with what it said and told. */
export interface Workbench {
  inbox: Inbox
  database: string
  told: { event: BookingEvent; context: TellContext }[]
  /** `type bookingId`, in the order told; ids without their address. */
  toldInShort(): string[]
  lines: LogLine[]
  deliver(delivery: SampleDelivery): Promise<Reply>
  /** Signs and delivers one Calendly event, and works until nothing is due. */
  calendly(options: Omit<CalendlyDeliveryOptions, 'key'>): Promise<Reply>
  close(): Promise<void>
}

export type WorkbenchOptions = Partial<Omit<InboxOptions<readonly Adapter[]>, 'store'>> & {
  /** As `knexStore` takes it. Default: a SQLite file of its own. */
  database?: string | Knex
  store?: KnexStoreOptions
}

/** By default one subscriber that takes everything and remembers it, Calendly alone, and nothing runs but by `drain`. */
export function workbench({ database, store, ...options }: WorkbenchOptions = {}): Workbench {
  const directory = database ? null : mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
  const place = database ?? join(directory!, 'test.db')
  const told: Workbench['told'] = []
  const lines: LogLine[] = []
  const remember = (event: BookingEvent, context: TellContext) => void told.push({ event, context })
  const subscribers = options.on
    ? options.subscribers
    : (options.subscribers ?? { memory: { takes: ['*'], tell: remember } })
  const inbox = createInbox({
    providers: [calendly({ signingKey })],
    dispatch: false,
    backoff: { baseMs: 1, capMs: 5 },
    log: listLog(lines),
    ...options,
    ...(subscribers ? { subscribers } : {}),
    store: knexStore(place, store),
  })
  const deliver = async (delivery: SampleDelivery): Promise<Reply> => {
    const [, provider = '', account = 'default'] = delivery.path.split('/')
    const reply = await inbox.receive(provider, {
      ...received(delivery),
      receivedAt: options.now?.() ?? new Date(),
      account,
    })
    if (!reply) throw new Error(`no adapter for ${provider}`)
    return reply
  }
  return {
    inbox,
    database: typeof place === 'string' ? place : '',
    told,
    toldInShort: () =>
      told.map(({ event }) => `${event.type} ${shortId(event.booking?.id ?? event.providerType)}`),
    lines,
    deliver,
    async calendly(sample) {
      const reply = await deliver(calendlyDelivery({ key: signingKey, ...sample }))
      await inbox.drain()
      return reply
    },
    async close() {
      await inbox.close()
      if (directory) rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The last part of an id that is a URL. */
export function shortId(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1)
}

export function listLog(lines: LogLine[]): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, ...fields })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

export type { CalendlyEnvelope }
