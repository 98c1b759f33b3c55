import { storeContract } from '@booking-webhooks/conformance'
import { sqliteGround } from './support/sqlite-ground.js'

storeContract({ describe, it, before, after }, 'SQLite', { start: sqliteGround })
