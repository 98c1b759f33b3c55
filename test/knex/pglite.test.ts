import { storeContract } from '@booking-webhooks/conformance'
import { mocha } from './support/mocha.js'
import { pgliteGround } from './support/pglite-ground.js'

storeContract(mocha, 'PostgreSQL, embedded', { start: pgliteGround })
