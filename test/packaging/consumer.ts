import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './packages.js'

const execute = promisify(execFile)
const require = createRequire(import.meta.url)

/** A project outside of the repository, as a user has one. */
export interface Consumer {
  directory: string
  /** Installs what is named, as `npm install` takes it. Scripts do not run: what a driver compiles is copied. */
  install(...wanted: string[]): Promise<void>
  /** Every package that it has now. */
  installed(): string[]
  /** Writes a file and runs it with Node, with these variables beside PATH alone; returns what it printed. */
  run(file: string, code: string, environment?: Record<string, string>): Promise<string>
  /** Compiles a file, and all declarations that it needs, with the repository's TypeScript; returns what is wrong. */
  compile(file: string, code: string): Promise<string>
  remove(): void
}

/** Empty, or a copy of a folder. */
export function consumer(folder?: string): Consumer {
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-consumer-'))
  const inside = (...path: string[]) => join(directory, ...path)
  const node = (args: string[], environment: Record<string, string> = {}) =>
    execute(process.execPath, args, { cwd: directory, env: { PATH: process.env.PATH, ...environment } })
  if (folder) cpSync(folder, directory, { recursive: true, filter: file => !file.includes('node_modules') })
  else writeFileSync(inside('package.json'), '{ "private": true }')
  return {
    directory,
    async install(...wanted) {
      const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
      await execute('npm', ['install', ...quiet, ...wanted], { cwd: directory })
      const compiled = join(root, 'node_modules/better-sqlite3/build')
      const driver = inside('node_modules/better-sqlite3')
      if (existsSync(driver) && existsSync(compiled))
        cpSync(compiled, join(driver, 'build'), { recursive: true })
    },
    installed: () =>
      readdirSync(inside('node_modules'))
        .filter(name => !name.startsWith('.'))
        .flatMap(name =>
          name.startsWith('@')
            ? readdirSync(inside('node_modules', name)).map(one => `${name}/${one}`)
            : name,
        ),
    async run(file, code, environment) {
      writeFileSync(inside(file), code)
      return (await node([file], environment)).stdout
    },
    async compile(file, code) {
      writeFileSync(inside(file), code)
      const types = join(root, 'node_modules/@types')
      const options = [
        '--noEmit',
        '--strict',
        '--target',
        'es2023',
        '--module',
        'nodenext',
        '--types',
        'node',
      ]
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      return node([tsc, ...options, '--typeRoots', types, file]).then(
        () => '',
        error => String(error.stdout),
      )
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** The version that the repository tests with, whose compiled driver fits. */
export const sqliteDriver = `better-sqlite3@${require('better-sqlite3/package.json').version}`
