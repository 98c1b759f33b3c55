import { type Ground, type Ledger, sharedGrounds } from '../support/ledgers.js'
import type { Contestant } from './contestants.js'
import type { Answered, Load } from './load.js'
import type { Check } from './result.js'
import { begin, type Role } from './role.js'
import type { Receiving } from './server.js'

/** SQLite, and the servers that TEST_POSTGRES_URL and TEST_MYSQL_URL name. */
export const databases = sharedGrounds

/** A receiving process on a database of its own, and how much it was sent. */
export interface Receiver {
  contestant: Contestant
  ledger: Ledger<string>
  role: Role<'', Receiving>
  url: string
  sent: { answered: number; refused: number; distinct: number }
}

export async function receiver(contestant: Contestant, ground: Ground<string>): Promise<Receiver> {
  const ledger = await ground.open()
  const role = begin<'', Receiving>('server', [contestant, ledger.database])
  const { url } = await role.ask('')
  return { contestant, ledger, role, url, sent: { answered: 0, refused: 0, distinct: 0 } }
}

/** What one round of deliveries showed; for each answer, the time of the processor and that of its event loop that the receiver took. */
export interface Round extends Answered {
  cpuUs: number
  loopUs: number
}

/** Sends one round of deliveries to it. */
export async function deliver(
  client: Role<Load, Answered>,
  to: Receiver,
  load: Pick<Load, 'connections' | 'requestsEach' | 'copies' | 'round'>,
): Promise<Round> {
  const before = await to.role.ask('')
  const answered = await client.ask({ ...load, url: to.url })
  const after = await to.role.ask('')
  to.sent.answered += answered.answered
  to.sent.refused += answered.refused
  to.sent.distinct += (load.connections * load.requestsEach) / load.copies
  const each = (used: 'cpuUs' | 'loopUs') => (after[used] - before[used]) / answered.answered
  return { ...answered, cpuUs: each('cpuUs'), loopUs: each('loopUs') }
}

/** Everything that was answered for is there, each once. What was refused may be there, too: its answer came too late. */
export async function nothingLost({ contestant, ledger, sent }: Receiver, name: string): Promise<Check[]> {
  if (contestant === 'ceiling') return []
  const [row] =
    contestant === 'hand'
      ? await ledger.knex('deliveries').count('* as stored')
      : await ledger.knex('booking_webhooks_events').count('* as stored').sum('deliveries as deliveries')
  const stored = Number(row?.stored)
  const isCounted = contestant === 'hand' || Number(row?.deliveries) >= sent.answered
  const ok = stored <= sent.distinct && stored >= sent.distinct - sent.refused && isCounted
  return [{ name: `${name}: ${contestant} stored each delivery once`, ok }]
}

export async function endReceiver({ role, ledger }: Receiver): Promise<void> {
  await role.end()
  await ledger.close()
}
