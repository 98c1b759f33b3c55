import type { Database as Connection, Statement } from 'better-sqlite3'

/** Events to be stored together, so that they can go to another thread: plain values, and all bodies as one piece of memory that changes hands. */
export interface Batch {
  /** Brings `now_us`. */
  clock: string
  /** Takes an event's values, then when it is due, then its body; brings `deliveries`. */
  record: string
  /** Takes a lane, when it is due, and now. */
  wake: string
  rows: BatchRow[]
  /** One after another, in the order of the rows. */
  bodies: Uint8Array
}

export interface BatchRow {
  values: unknown[]
  lane: string
  /** How much later than now it is due, in microseconds. */
  laterUs: number
  /** Of its body; null where there is none. */
  bytes: number | null
}

/** Stores a batch in one transaction and wakes the lanes of what is new: how often each event has come by now. */
export function recordBatch(connection: Connection, { clock, record, wake, rows, bodies }: Batch): number[] {
  const [recorded, woken] = [prepared(connection, record), prepared(connection, wake)]
  const store = (): number[] => {
    const { now_us: now } = connection.prepare(clock).safeIntegers(false).get() as { now_us: number }
    let at = 0
    return rows.map(({ values, lane, laterUs, bytes }) => {
      const body = bytes === null ? null : bodies.subarray(at, at + bytes)
      at += bytes ?? 0
      const { deliveries } = recorded.get([...values, laterUs > 0 ? now + laterUs : 0, body]) as {
        deliveries: number
      }
      if (deliveries === 1) woken.run(lane, now + laterUs, now)
      return deliveries
    })
  }
  return connection.transaction(store).immediate()
}

/** Each statement once for each connection: a store has two. */
const statements = new WeakMap<Connection, Map<string, Statement>>()

function prepared(connection: Connection, sql: string): Statement {
  const known = statements.get(connection) ?? new Map<string, Statement>()
  statements.set(connection, known)
  const statement = known.get(sql) ?? connection.prepare(sql).safeIntegers(false)
  known.set(sql, statement)
  return statement
}
