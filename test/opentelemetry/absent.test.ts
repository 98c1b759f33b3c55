import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'

const core = fileURLToPath(new URL('../../../packages/core', import.meta.url))

describe('without @opentelemetry/api', () => {
  let directory: string
  beforeEach(() => {
    // Where no node_modules is above it.
    directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
    for (const name of ['package.json', 'dist'])
      cpSync(join(core, name), join(directory, name), { recursive: true })
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const load = (file: string) => {
    const url = pathToFileURL(join(directory, 'dist', file)).href
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', `await import(${JSON.stringify(url)})`],
      { encoding: 'utf8' },
    )
    return { status, stderr }
  }

  it('the inbox works, and only the observer names what is missing', () => {
    expect(load('index.js')).to.include({ status: 0 })
    const { status, stderr } = load('opentelemetry/index.js')
    expect(status).to.equal(1)
    expect(stderr).to.include("Cannot find package '@opentelemetry/api'")
  })
})
