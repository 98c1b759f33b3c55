import type { Knex } from 'knex'

type Query = (options: { sql: string }, ...rest: unknown[]) => unknown

/** Connections to MariaDB that say they are MySQL's, and refuse the one statement that MySQL does not know. `change`: what else is asked otherwise. */
export function asMysql(url: string, change = (sql: string) => sql): Knex.Config {
  return {
    client: 'mysql2',
    connection: url,
    pool: {
      afterCreate(connection: { query: Query }, done: (error: unknown, connection: unknown) => void) {
        const query: Query = connection.query.bind(connection)
        connection.query = (options, ...rest) => {
          const sql = options.sql.replace('version()', "'8.4.0'").replace('NOT ATOMIC', 'NOT MYSQL')
          return query({ ...options, sql: change(sql) }, ...rest)
        }
        done(null, connection)
      },
    },
  }
}
