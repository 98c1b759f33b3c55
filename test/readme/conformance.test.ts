import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../../..')
// Inside of the repository, so that the imports are found as a user's are.
const directory = mkdtempSync(join(import.meta.dirname, 'conformance-'))
const file = join(directory, 'example.mjs')
const readme = readFileSync(join(root, 'packages/conformance/README.md'), 'utf8')
writeFileSync(file, /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '')

describe('the example in the README of conformance', () => {
  after(() => rmSync(directory, { recursive: true, force: true }))
})
await import(pathToFileURL(file).href)
