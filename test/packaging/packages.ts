import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

export interface Manifest {
  name: string
  exports: Record<string, string | { types: string; default: string }>
  bin?: Record<string, string>
  keywords?: string[]
  homepage?: string
  repository?: { directory?: string }
  publishConfig?: { access?: string }
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** The folder of each package that is published, and its package.json. */
export const packages: readonly { folder: string; manifest: Manifest }[] = readdirSync(
  join(root, 'packages'),
).map(folder => ({ folder, manifest: JSON.parse(read(folder, 'package.json')) }))

export function read(folder: string, file: string): string {
  return readFileSync(join(root, 'packages', folder, file), 'utf8')
}

/** What can be imported of a package: its name, with the paths that it exports. */
export function specifiersOf({ name, exports }: Manifest): string[] {
  return Object.keys(exports)
    .filter(path => path !== './package.json')
    .map(path => `${name}${path.slice(1)}`)
}

export interface Tarball {
  name: string
  filename: string
  files: { path: string }[]
}

/** `npm pack` of every package as it is built. */
export function pack(...options: string[]): Tarball[] {
  const workspaces = packages.flatMap(({ folder }) => ['-w', `packages/${folder}`])
  const command = ['pack', '--json', '--ignore-scripts', '--offline', ...options, ...workspaces]
  return JSON.parse(execFileSync('npm', command, { cwd: root, encoding: 'utf8', stdio: 'pipe' }))
}
