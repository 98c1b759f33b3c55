import { expect } from 'chai'
import { asPublished, isOwn, withOwn } from '../as-published.js'
import { type Consumer, consumer } from '../consumer.js'
import { packages, specifiersOf } from '../packages.js'

/** What a package brings along, of everything that an app might not want. Frameworks are the app's own. */
const brings: Record<string, string[]> = {
  knex: ['knex'],
  cli: ['better-sqlite3', 'knex'],
  'booking-webhooks': ['better-sqlite3', 'knex'],
}
const heavy = ['better-sqlite3', 'express', 'knex', 'koa', 'mysql2', 'pg', '@opentelemetry/api']

/** Entries for apps that have a certain package already. */
const onRequest: Record<string, string> = { '@booking-webhooks/core/opentelemetry': '@opentelemetry/api' }

describe('installed alone', function () {
  this.timeout(180_000)
  let project: Consumer
  beforeEach(() => {
    project = consumer()
  })
  afterEach(() => project.remove())

  for (const { folder, manifest } of packages)
    it(`${manifest.name} works from import, require and TypeScript, with what it needs and no more`, async () => {
      await project.install(...asPublished(manifest.name))
      const installed = project.installed()
      expect(installed.filter(isOwn)).to.have.members(withOwn(manifest.name))
      expect(installed.filter(name => heavy.includes(name))).to.have.members(brings[folder] ?? [])
      await works(specifiersOf(manifest).filter(one => !onRequest[one]))
    })

  for (const [specifier, needed] of Object.entries(onRequest))
    it(`${specifier} asks for ${needed}, and works once it is there`, async () => {
      await project.install(...asPublished('@booking-webhooks/core'))
      const failure = await project.run('esm.mjs', `await import('${specifier}')`).catch(String)
      expect(failure).to.include(`Cannot find package '${needed}'`)
      await project.install(needed)
      await works([specifier])
    })

  async function works(specifiers: string[]): Promise<void> {
    const imported = specifiers.map(one => `console.log(Object.keys(await import('${one}')).sort().join())`)
    const required = specifiers.map(one => `console.log(Object.keys(require('${one}')).sort().join())`)
    const names = await project.run('esm.mjs', imported.join('\n'))
    expect(names.trim().split('\n')).to.have.length(specifiers.length)
    expect(await project.run('cjs.cjs', required.join('\n'))).to.equal(names)
    const typed = specifiers.map((one, index) => `export * as part${index} from '${one}'`)
    expect(await project.compile('types.mts', typed.join('\n'))).to.equal('')
  }
})
