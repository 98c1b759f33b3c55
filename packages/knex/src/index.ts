export { knexStore } from './knex-store.js'
export type { KnexStoreOptions } from './options.js'
export { migrationSource } from './schema/migration-source.js'
export { migrateDatabase, type SchemaState, schemaOf } from './schema/schema.js'
