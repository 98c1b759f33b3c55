import { storeContract } from '@booking-webhooks/conformance'
import { mocha } from './support/mocha.js'
import { sqliteGround } from './support/sqlite-ground.js'

storeContract(mocha, 'SQLite', { start: sqliteGround })
