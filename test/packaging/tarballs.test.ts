import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'chai'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { pack, packages, read, root, specifiersOf, type Tarball } from './packages.js'

const require = createRequire(import.meta.url)

describe('the tarball', () => {
  let tarballs: Tarball[] = []
  before(function () {
    this.timeout(120_000)
    tarballs = pack('--dry-run')
  })

  for (const { folder, manifest } of packages) {
    const { name, exports } = manifest
    describe(`of ${name}`, () => {
      const files = () => tarballs.find(one => one.name === name)?.files.map(({ path }) => path) ?? []

      it('holds its licence, its README, its types and what it exports', () => {
        const exported = Object.values(exports).flatMap(one =>
          typeof one === 'string' ? one : [one.types, one.default],
        )
        const bins = Object.values(manifest.bin ?? {})
        const named = [...exported, ...bins].map(path => path.replace('./', ''))
        expect(files()).to.include.members(['LICENSE', 'README.md', 'package.json', ...named])
        expect(read(folder, 'LICENSE')).to.equal(readFileSync(join(root, 'LICENSE'), 'utf8'))
        expect(read(folder, 'README.md').trim().split('\n').length).to.be.lessThan(60)
      })

      it('holds nothing but that, what was compiled and its source', () => {
        const others = files().filter(path => !['LICENSE', 'README.md', 'package.json'].includes(path))
        for (const path of others)
          expect(path).to.match(/^(src\/.+\.ts|dist\/.+\.(js|d\.ts)(\.map)?|bin\/.+\.js)$/)
        for (const path of files()) expect(path).not.to.match(/\.test\.|(^|\/)tests?\//)
      })

      it('is compiled whole', () => {
        const sources = files().filter(path => path.startsWith('src/'))
        const compiled = sources.map(path => path.replace(/^src/, 'dist').replace(/\.ts$/, '.js'))
        expect(files()).to.include.members(compiled)
      })

      it('says where it comes from and who may have it', () => {
        expect(manifest.repository?.directory).to.equal(`packages/${folder}`)
        expect(manifest.homepage).to.include(`packages/${folder}`)
        expect(manifest.publishConfig?.access).to.equal('public')
        expect(manifest.keywords).to.be.an('array').that.is.not.empty
      })

      it('has nothing that publint would change', async () => {
        const { messages } = await publint({
          pkgDir: join(root, 'packages', folder),
          strict: true,
          pack: false,
        })
        expect(messages.map(message => formatMessage(message, manifest))).to.be.empty
      })

      for (const specifier of specifiersOf(manifest))
        it(`exports the same to import and require: ${specifier}`, async () => {
          const imported = Object.keys(await import(specifier))
          expect(imported).to.be.an('array').that.is.not.empty
          expect(Object.keys(require(specifier))).to.have.members(imported)
        })
    })
  }
})
