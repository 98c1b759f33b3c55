import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteDriver } from './consumer.js'
import { pack, packages } from './packages.js'

export function isOwn(name: string): boolean {
  return name === 'booking-webhooks' || name.startsWith('@booking-webhooks/')
}

/** A package and all of ours that it depends on: they are on no registry yet, so each is installed from its tarball. */
export function withOwn(name: string): string[] {
  const manifest = packages.find(one => one.manifest.name === name)?.manifest
  const needed = Object.keys(manifest?.dependencies ?? {}).filter(isOwn)
  return [...new Set([name, ...needed.flatMap(withOwn)])]
}

/** What `npm install` is given so that it installs these as if all of ours were published. */
export function asPublished(...wanted: string[]): string[] {
  const own = [...new Set(wanted.filter(isOwn).flatMap(withOwn))]
  const others = wanted.filter(name => !isOwn(name))
  return [...own.map(tarballOf), ...others.map(name => (name === 'better-sqlite3' ? sqliteDriver : name))]
}

let packed: Map<string, string> | undefined

/** Packed once in a process. */
export function tarballOf(name: string): string {
  packed ??= packAll()
  const file = packed.get(name)
  if (!file) throw new Error(`${name} is none of the packages.`)
  return file
}

function packAll(): Map<string, string> {
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-tarballs-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return new Map(
    pack('--pack-destination', directory).map(({ name, filename }) => [name, join(directory, filename)]),
  )
}
