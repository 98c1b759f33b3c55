import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { type Consumer, consumer, sqliteDriver } from './consumer.js'
import { pack, packages, root, specifiersOf } from './packages.js'

/** What each package brings along, of everything that an app might not want. */
const brings: Record<string, string[]> = {
  core: [],
  calendly: [],
  calcom: [],
  acuity: [],
  express: ['express'],
  koa: ['koa'],
  knex: ['knex'],
  forward: [],
  conformance: [],
  cli: ['better-sqlite3', 'express', 'knex'],
  // Koa is a peer of its package, and npm installs peers.
  'booking-webhooks': ['better-sqlite3', 'express', 'knex', 'koa'],
}
const heavy = ['better-sqlite3', 'express', 'knex', 'koa', 'mysql2', 'pg']

describe('in an empty project', function () {
  this.timeout(180_000)
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-tarballs-'))
  const tarball = new Map<string, string>()
  let project: Consumer
  before(() => {
    for (const { name, filename } of pack('--pack-destination', directory))
      tarball.set(name, join(directory, filename))
  })
  beforeEach(() => {
    project = consumer()
  })
  afterEach(() => project.remove())
  after(() => rmSync(directory, { recursive: true, force: true }))

  for (const { folder, manifest } of packages)
    it(`${manifest.name} works alone, from import, require and TypeScript`, async () => {
      const own = withOwn(manifest.name)
      await project.install(...own.map(name => tarball.get(name) ?? name))

      const installed = project.installed()
      expect(installed.filter(name => isOwn(name))).to.have.members(own)
      expect(installed.filter(name => heavy.includes(name))).to.have.members(brings[folder] ?? [])

      const specifiers = specifiersOf(manifest)
      const imported = specifiers.map(one => `console.log(Object.keys(await import('${one}')).sort().join())`)
      const required = specifiers.map(one => `console.log(Object.keys(require('${one}')).sort().join())`)
      const names = await project.run('esm.mjs', imported.join('\n'))
      expect(names.trim().split('\n')).to.have.length(specifiers.length)
      expect(await project.run('cjs.cjs', required.join('\n'))).to.equal(names)
      const typed = specifiers.map((one, index) => `export * as part${index} from '${one}'`)
      expect(await project.compile('types.mts', typed.join('\n'))).to.equal('')
    })

  for (const { manifest } of packages)
    it(`${manifest.name} has types that are not wrong`, async () => {
      const bytes = new Uint8Array(readFileSync(tarball.get(manifest.name) ?? ''))
      const checked = await checkPackage(createPackageFromTarballData(bytes))
      expect(checked.types).to.deep.equal({ kind: 'included' })
      // ESM alone, on Node 20.19 and later: `require` takes it, and the resolution of Node 10 is not supported.
      const problems = ('problems' in checked ? checked.problems : []).filter(
        problem => !('resolutionKind' in problem && /^node10$|^node16-cjs$/.test(problem.resolutionKind)),
      )
      expect(problems).to.deep.equal([])
    })

  it('the quick start needs what it names, and no other adapter or framework', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const wanted = /^npm install (.+)$/m.exec(readme)?.[1].split(' ') ?? []
    const own = [...new Set(wanted.filter(isOwn).flatMap(withOwn))]
    const others = wanted
      .filter(name => !isOwn(name))
      .map(name => (name === 'better-sqlite3' ? sqliteDriver : name))
    await project.install(...own.map(name => tarball.get(name) ?? name), ...others)

    const installed = project.installed()
    expect(installed.filter(isOwn).sort()).to.deep.equal(own.sort())
    expect(installed).not.to.include.members(['koa'])
    expect(own).not.to.include('@booking-webhooks/acuity')

    const { headers, body } = calendlyDelivery({ key: 'a-key', event: 'invitee.created' })
    const sent = JSON.stringify({ headers, body: Buffer.from(body).toString() })
    const code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    const app = code
      .replace('process.env.CALENDLY_SIGNING_KEY', "'a-key'")
      .replace('app.listen(process.env.PORT ?? 3000)', `const server = app.listen(0, () => void post())`)
    const post = `async function post() {
      const { headers, body } = ${sent}
      const url = 'http://127.0.0.1:' + server.address().port + '/webhooks/calendly'
      while ((await fetch(url, { method: 'POST', headers, body })).status !== 200);
      await webhooks.inbox.drain()
      await webhooks.close()
      process.exit()
    }`
    expect(await project.run('esm.mjs', `${app}\n${post}`)).to.equal('mail to ann@example.com\n')
    const requiring = app
      .replaceAll(/^import (\{.+\}) from (.+)$/gm, 'const $1 = require($2)')
      .replace("import express from 'express'", "const express = require('express')")
      .replace('./bookings.db', './cjs.db')
    expect(await project.run('cjs.cjs', `${requiring}\n${post}`)).to.equal('mail to ann@example.com\n')
  })

  it('the command is there', async () => {
    const own = withOwn('booking-webhooks')
    await project.install(...own.map(name => tarball.get(name) ?? name), sqliteDriver)
    const help = await project.run(
      'help.mjs',
      "process.argv.push('--help')\nawait import('./node_modules/.bin/booking-webhooks')",
    )
    expect(help).to.include('Usage: booking-webhooks')
  })
})

function isOwn(name: string): boolean {
  return name === 'booking-webhooks' || name.startsWith('@booking-webhooks/')
}

/** A package and all of ours that it depends on: they are on no registry yet, so each is installed from its tarball. */
function withOwn(name: string): string[] {
  const manifest = packages.find(one => one.manifest.name === name)?.manifest
  const needed = Object.keys(manifest?.dependencies ?? {}).filter(isOwn)
  return [...new Set([name, ...needed.flatMap(withOwn)])]
}
