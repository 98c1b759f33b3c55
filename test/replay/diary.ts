import {
  type Adapter,
  type Fact,
  FetchError,
  type Interpreted,
  type Reading,
  type SampleDelivery,
} from '@booking-webhooks/core'

/** What a request of this small provider may say, one JSON object a body. */
export interface DiaryEntry {
  key: string
  kind?: Fact['kind']
  booking?: string | null
  startsUs?: number
  /** Null where the provider sends no time. */
  atUs?: number | null
}

/** A provider of a test's own, whose adapter gets better while the ledger grows old. */
export interface Diary {
  adapter: Adapter<'diary'>
  /** What the adapter makes of a body; throws for what it cannot read. */
  read: (text: string) => DiaryEntry[]
  /** What the adapter makes of one entry. */
  kindOf: (entry: DiaryEntry) => Fact['kind']
  /** What its API answers; undefined where it is not asked. Throws where it is down. */
  fetch: (() => unknown) | undefined
  asked: number
}

export function diary(): Diary {
  const self: Diary = {
    read: text => [JSON.parse(text)],
    kindOf: ({ kind }) => kind ?? 'created',
    fetch: undefined,
    asked: 0,
    adapter: {
      provider: 'diary',
      keys: () => ['key'],
      verify: () => ({ keyIndex: 0, authenticated: 'secret' }),
      read: ({ body }) => ({ readings: self.read(Buffer.from(body).toString()).map(readingOf) }),
      needsFetch: () => self.fetch !== undefined,
      async fetch() {
        self.asked += 1
        try {
          return self.fetch?.() ?? null
        } catch {
          throw new FetchError('The diary does not answer.', {
            retry: 'never',
            counts: true,
            givenUp: 'dead',
          })
        }
      },
      interpret: (reading, _snapshot, booking): Interpreted[] => {
        const entry = self.read(Buffer.from(reading.body).toString())[reading.index]!
        if (!entry.booking)
          return [{ key: reading.dedupeKey, type: 'provider.note', occurredUs: null, raw: entry }]
        const kind = self.kindOf(entry)
        if (kind === 'updated' && booking?.details.title === entry.key)
          return [{ key: reading.dedupeKey, unchanged: 'It reads the same.' }]
        return [{ key: reading.dedupeKey, fact: factOf(entry, kind), raw: entry }]
      },
    },
  }
  return self
}

export function written(entry: DiaryEntry): SampleDelivery {
  return delivered(JSON.stringify(entry))
}

export function delivered(body: string): SampleDelivery {
  return { title: 'a note', method: 'POST', path: '/diary', headers: {}, body: Buffer.from(body) }
}

function readingOf({ key, booking: bookingId = null, atUs = null }: DiaryEntry): Reading {
  return {
    dedupeKey: key,
    lane: bookingId ?? key,
    providerType: 'note',
    type: null,
    bookingId,
    meetingId: bookingId,
    occurredUs: atUs,
    unreadable: null,
  }
}

function factOf(
  { key, booking, startsUs = 2_000_000_000_000_000, atUs = null }: DiaryEntry,
  kind: Fact['kind'],
): Omit<Fact, 'key' | 'occurredUs'> & { occurredUs: number | null } {
  const id = booking ?? ''
  return {
    kind,
    target: { kind: 'booking', id },
    occurredUs: atUs,
    previous: null,
    meetingId: id,
    startsUs,
    endsUs: startsUs + 3_600_000_000,
    resources: ['room'],
    alias: null,
    noShow: null,
    cancellation: null,
    details: { booking: { title: key } },
  }
}
