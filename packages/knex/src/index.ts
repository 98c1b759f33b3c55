export { knexStore } from './knex-store.js'
export { migrationSource } from './migration-source.js'
export type { KnexStoreOptions } from './options.js'
export { migrateDatabase, type SchemaState, schemaOf } from './schema.js'
