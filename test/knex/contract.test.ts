import { storeContract } from '@booking-webhooks/conformance'
import { eachDatabase } from './support/databases.js'
import { groundOn } from './support/ground.js'
import { mocha } from './support/mocha.js'
import { pgliteGround } from './support/pglite-ground.js'

eachDatabase((name, make) => storeContract(mocha, name, { start: async () => groundOn(await make()) }))

// The same SQL on PostgreSQL within this process, where there is no server.
if (!process.env.TEST_POSTGRES_URL) storeContract(mocha, 'PostgreSQL, embedded', { start: pgliteGround })
