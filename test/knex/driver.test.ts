import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../readme/example.js'

interface Case {
  driver: string
  node: string
  /** The driver's own `exports`; those of 12 are none, those of 13 expose its package.json. */
  exports?: Record<string, string>
  name?: string
  /** Whether it is a Knex that `knexStore()` is given, instead of a path. */
  isInstance?: boolean
}

const closed = { '.': './lib/index.js' }
const open = { ...closed, './package.json': './package.json' }
const tooNew =
  'better-sqlite3 13.2.0 crashes Node 20.20.2. Run npm install better-sqlite3@12, or use Node 22 or later.'
const taken = { said: null, isLoaded: true }

describe('knexStore() beside a better-sqlite3 that would crash this Node', function () {
  this.timeout(60_000)

  // Everything that is installed here, but the driver.
  let directory: string
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
    const installed = join(root, 'node_modules')
    mkdirSync(join(directory, 'node_modules/better-sqlite3/lib'), { recursive: true })
    for (const entry of readdirSync(installed))
      if (entry !== 'better-sqlite3' && !entry.startsWith('.'))
        symlinkSync(join(installed, entry), join(directory, 'node_modules', entry))
  })
  after(() => rmSync(directory, { recursive: true, force: true }))

  it('refuses before the driver is loaded', () => {
    for (const exports of [open, closed, undefined])
      expect(outcome({ driver: '13.2.0', node: '20.20.2', exports })).to.deep.equal({
        said: `INVALID_OPTION: ${tooNew}`,
        isLoaded: false,
      })
  })

  it('names what is installed and what runs', () => {
    expect(outcome({ driver: '14.0.0-beta.1', node: '21.7.3' }).said).to.match(
      /better-sqlite3 14\.0\.0-beta\.1 crashes Node 21\.7\.3\./,
    )
  })

  it('takes what fits', () => {
    for (const [driver, node] of [
      ['12.11.1', '20.20.2'],
      ['12.11.1', '24.1.0'],
      ['13.2.0', '22.0.0'],
      ['13.2.0', '26.0.0'],
    ] as const)
      expect(outcome({ driver, node, exports: open }), `${driver} on ${node}`).to.deep.equal(taken)
  })

  it('leaves a fork in its place, and a Knex instance, to who chose them', () => {
    expect(outcome({ driver: '13.2.0', node: '20.20.2', name: 'another-sqlite3' })).to.deep.equal(taken)
    expect(outcome({ driver: '13.2.0', node: '20.20.2', isInstance: true })).to.deep.equal(taken)
  })

  /** What `knexStore()` says with a driver of this version, in a process that takes itself for this Node. */
  function outcome({ driver, node, exports, name = 'better-sqlite3', isInstance }: Case) {
    const fake = join(directory, 'node_modules/better-sqlite3')
    writeFileSync(
      join(fake, 'package.json'),
      JSON.stringify({ name, version: driver, main: 'lib/index.js', exports }),
    )
    // A package.json without a version is none: some lie beside the code.
    writeFileSync(join(fake, 'lib/package.json'), '{ "type": "commonjs" }')
    writeFileSync(join(fake, 'lib/index.js'), 'globalThis.isLoaded = true\nmodule.exports = class {}')
    const config = { client: 'better-sqlite3', connection: { filename: 'ledger.db' }, useNullAsDefault: true }
    const main = join(directory, 'main.mjs')
    writeFileSync(
      main,
      `import { knexStore } from '@booking-webhooks/knex'
      import knex from 'knex'
      const versions = { ...process.versions, node: '${node}' }
      Object.defineProperty(process, 'versions', { value: versions })
      let said = null
      try {
        knexStore(${isInstance ? `knex(${JSON.stringify(config)})` : "'ledger.db'"})
      } catch (error) {
        said = error.code + ': ' + error.message
      }
      console.log(JSON.stringify({ said, isLoaded: globalThis.isLoaded === true }))`,
    )
    // Else what is linked would look for the driver where it lies.
    const args = ['--preserve-symlinks', main]
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: directory }))
  }
})
