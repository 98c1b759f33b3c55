import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '../../..')
const packages = join(root, 'packages')

/** Which packages each one may import, and which it must not name in its dependencies either. */
const table: Record<string, string[]> = {
  core: ['raw-body', '@opentelemetry/api'],
  calendly: ['@booking-webhooks/core'],
  calcom: ['@booking-webhooks/core'],
  acuity: ['@booking-webhooks/core', 'p-queue'],
  express: ['@booking-webhooks/core', 'express'],
  koa: ['@booking-webhooks/core', 'koa'],
  knex: ['@booking-webhooks/core', 'knex', 'better-sqlite3', 'pg', 'mysql2'],
  forward: ['@booking-webhooks/core', 'standardwebhooks'],
  conformance: ['@booking-webhooks/core'],
}

/** Free to take what they need. */
const assembled = ['cli', 'booking-webhooks']

describe('the packages', () => {
  it('are those of the table', () => {
    expect(readdirSync(packages).sort()).to.deep.equal([...Object.keys(table), ...assembled].sort())
  })

  for (const [name, allowed] of Object.entries(table)) {
    it(`${name} imports only ${allowed.join(', ')} and Node`, () => {
      for (const [file, specifier] of importsOf(name)) {
        if (specifier.startsWith('.') || specifier.startsWith('node:')) continue
        expect(allowed, `${file} imports ${specifier}`).to.include(packageOf(specifier))
      }
    })

    it(`${name} depends on nothing else`, () => {
      const { dependencies = {}, peerDependencies = {} } = manifest(name)
      for (const dependency of Object.keys({ ...dependencies, ...peerDependencies }))
        expect(allowed, `${name} depends on ${dependency}`).to.include(dependency)
    })
  }

  it('name every package that they import', () => {
    for (const name of readdirSync(packages)) {
      const { dependencies = {}, peerDependencies = {} } = manifest(name)
      const named = Object.keys({ ...dependencies, ...peerDependencies })
      for (const [file, specifier] of importsOf(name)) {
        if (specifier.startsWith('.') || specifier.startsWith('node:')) continue
        expect(named, `${file} imports ${specifier}`).to.include(packageOf(specifier))
      }
    }
  })

  it('share one version, one licence and one range of Node', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'lerna.json'), 'utf8'))
    for (const name of readdirSync(packages)) {
      const its = manifest(name)
      expect(its.version, name).to.equal(version)
      expect(its.license, name).to.equal('MIT')
      expect(its.engines?.node, name).to.equal('>=20.19')
      expect(its.sideEffects, name).to.equal(false)
      for (const [dependency, range] of Object.entries(its.dependencies ?? {}))
        if (dependency.startsWith('@booking-webhooks/'))
          expect(range, `${name} → ${dependency}`).to.equal(version)
    }
  })

  it('hold no provider’s word, framework or database in core', () => {
    for (const file of sources('core')) {
      const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      expect(text, file).not.to.match(/calendly|cal\.com|calcom|acuity/i)
    }
  })
})

interface Manifest {
  version: string
  license?: string
  sideEffects?: boolean
  engines?: { node?: string }
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

function manifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
}

function sources(name: string): string[] {
  return readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => join(packages, name, 'src', file))
}

const importing = /(?:^(?:import|export)\s[\w\s{},*$]*?\bfrom|^import|\bimport\()\s*['"]([^'"]+)['"]/gm

function importsOf(name: string): [string, string][] {
  return sources(name).flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(importing)].map((match): [string, string] => [
      file.slice(packages.length + 1),
      match[1]!,
    ]),
  )
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
