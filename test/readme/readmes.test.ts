import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { blocksOf, root } from './example.js'

const execute = promisify(execFile)
const within = (folder: string) =>
  readdirSync(join(root, folder))
    .map(name => `${folder}/${name}/README.md`)
    .filter(file => existsSync(join(root, file)))
const packages = within('packages')
const readmes = ['README.md', ...packages, ...within('examples')]
const pages = readdirSync(join(root, 'docs')).map(name => `docs/${name}`)

describe('every README', () => {
  for (const readme of packages)
    it(`is short: ${readme}`, () => {
      expect(textOf(readme).trim().split('\n').length).to.be.lessThan(60)
    })

  for (const page of [...readmes, ...pages])
    it(`leads to files that are there: ${page}`, () => {
      for (const [, target = ''] of proseOf(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
        if (!/^https?:/.test(target))
          expect(existsSync(join(root, dirname(page), target)), target).to.equal(true)
    })

  for (const page of [...readmes, ...pages])
    it(`shows nothing but shell commands and JavaScript, both of which are run: ${page}`, () => {
      const languages = [...textOf(page).matchAll(/^```(.+)$/gm)].map(([, language]) => language)
      expect(languages.filter(language => language !== 'js' && language !== 'sh')).to.deep.equal([])
      expect(blocksOf(page, 'js')).to.have.length.at.most(1)
    })

  for (const readme of ['README.md', ...packages])
    it(`installs what its example imports: ${readme}`, () => {
      const [, installed = ''] = /^npm install (.+)$/m.exec(blocksOf(readme, 'sh').join('\n')) ?? []
      for (const code of blocksOf(readme, 'js'))
        for (const [, specifier = ''] of code.matchAll(/ from '([^']+)'/g))
          if (!isBuiltin(specifier)) expect(installed.split(' ')).to.include(packageOf(specifier))
    })

  it('has an example that TypeScript finds nothing wrong with', async () => {
    // Inside of the repository, so that the imports are found as a user's are.
    const directory = mkdtempSync(join(import.meta.dirname, 'checked-'))
    const files = readmes.flatMap(readme =>
      blocksOf(readme, 'js').map(code => {
        const file = join(directory, `${readme.replaceAll('/', '-')}.mjs`)
        writeFileSync(file, code)
        return file
      }),
    )
    const options = ['--ignoreConfig', '--noEmit', '--allowJs', '--checkJs', '--skipLibCheck']
      .concat('--strict', '--noImplicitAny', 'false', '--strictNullChecks', 'false')
      .concat('--target', 'es2023', '--module', 'nodenext', '--types', 'node,mocha')
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    try {
      const said = await execute(process.execPath, [tsc, ...options, ...files]).catch(error => error)
      expect(said.stdout).to.equal('')
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }).timeout(60_000)
})

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

function proseOf(page: string): string {
  return textOf(page).replaceAll(/^```[\s\S]*?^```$/gm, '')
}

function isBuiltin(specifier: string): boolean {
  return builtinModules.includes(specifier.replace('node:', ''))
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
