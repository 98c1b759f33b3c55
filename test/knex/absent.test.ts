import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'chai'
import { servers } from './support/databases.js'

describe('a run that names a database', function () {
  this.timeout(60_000)

  const nowhere = {
    TEST_POSTGRES_URL: 'postgres://nobody@127.0.0.1:9/none',
    TEST_MYSQL_URL: 'mysql://nobody@127.0.0.1:9/none',
  }
  for (const { name, variable } of servers)
    it(`fails where ${name} does not answer`, () => {
      const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
      const { TEST_POSTGRES_URL, TEST_MYSQL_URL, ...environment } = process.env
      const { status, stdout } = spawnSync(
        process.execPath,
        [mocha, '--grep', `on ${name} is named after`, join(import.meta.dirname, 'connect.test.js')],
        { env: { ...environment, [variable]: nowhere[variable] }, encoding: 'utf8' },
      )
      expect(stdout).to.match(/1 failing/)
      expect(status).to.equal(1)
    })

  it('is what is done before anything lands: it names all of them', () => {
    const script = join(import.meta.dirname, '../../../.ci/run')
    expect(existsSync(script)).to.equal(true)
    for (const { variable } of servers)
      expect(readFileSync(script, 'utf8')).to.match(new RegExp(`^export ${variable}=`, 'm'))
  })
})
