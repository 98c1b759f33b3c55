import { storeContract } from '@booking-webhooks/conformance'
import { mocha } from './support/mocha.js'
import { serverGround } from './support/server-ground.js'

const servers = {
  PostgreSQL: 'TEST_POSTGRES_URL',
  'MySQL or MariaDB': 'TEST_MYSQL_URL',
}

for (const [name, variable] of Object.entries(servers)) {
  const url = process.env[variable]
  if (url) storeContract(mocha, name, { start: () => serverGround(url) })
  else it.skip(`${name} is not covered: ${variable} is not set`)
}
