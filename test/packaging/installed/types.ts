import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { expect } from 'chai'
import { tarballOf } from '../as-published.js'
import { packages } from '../packages.js'

describe('the types in the tarball of', function () {
  this.timeout(60_000)
  for (const { manifest } of packages)
    it(`${manifest.name} are not wrong`, async () => {
      const bytes = new Uint8Array(readFileSync(tarballOf(manifest.name)))
      const checked = await checkPackage(createPackageFromTarballData(bytes))
      expect(checked.types).to.deep.equal({ kind: 'included' })
      // ESM alone, on Node 20.19 and later: `require` takes it, and the resolution of Node 10 is not supported.
      const problems = ('problems' in checked ? checked.problems : []).filter(
        problem => !('resolutionKind' in problem && /^node10$|^node16-cjs$/.test(problem.resolutionKind)),
      )
      expect(problems).to.deep.equal([])
    })
})
