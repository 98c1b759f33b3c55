import type { Knex } from 'knex'

const asked = new WeakMap<Knex, Promise<boolean>>()

/** Whether the server is a MariaDB; asked once for each pool. */
export function isMariadb(knex: Knex): Promise<boolean> {
  const known = asked.get(knex)
  if (known) return known
  const asking = knex.raw('SELECT version() AS version').then(([[row]]) => /mariadb/i.test(row.version))
  asked.set(knex, asking)
  asking.catch(() => asked.delete(knex))
  return asking
}
