import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { command } from '../cli/command.js'
import { runHere } from '../cli/run-here.js'
import { type Serving, serving } from '../cli/serving.js'
import { blocksOf, root } from './example.js'

const readme = 'packages/cli/README.md'
const key = 'the-key-of-the-readme'

describe('the README of cli', function () {
  this.timeout(60_000)
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-readme-'))
  const environment = {
    CALENDLY_SIGNING_KEY: key,
    FORWARD_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  }
  const options = { cwd: directory, environment }
  const shown = blocksOf(readme, 'sh')
    .flatMap(block => block.trim().split('\n'))
    .map(line =>
      line
        .replace(/^npx booking-webhooks /, '')
        .replace(/\s*#.*$/, '')
        .split(' '),
    )
  let server: Serving
  before(async () => {
    server = await serving([], options)
  })
  after(async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  for (const args of shown)
    it(`shows what runs: ${args.join(' ')}`, async () => {
      if (args[0] === 'serve') {
        const other = await serving(args.slice(1), {
          ...options,
          cwd: mkdtempSync(join(directory, 'serve-')),
        })
        expect(await other.stop()).to.equal(0)
        return
      }
      const { headers, body } = calendlyDelivery({ key, event: 'invitee.created' })
      const head = ['POST /webhooks/calendly HTTP/1.1', ...Object.entries(headers).map(one => one.join(': '))]
      writeFileSync(join(directory, 'request.http'), [...head, '', Buffer.from(body).toString()].join('\r\n'))
      const here = args.map(arg => arg.replace('http://127.0.0.1:3000', server.url))
      const { code, stdout, stderr } = await command(here, options)
      expect(code, stdout + stderr).to.equal(0)
    })

  it('lists every command, and none that is not there', async () => {
    const text = readFileSync(join(root, readme), 'utf8')
    const named = [...text.matchAll(/^\| `(\w+)[^`]*` +\|/gm)].map(([, name]) => name)
    const { stdout } = await runHere(['--help'])
    const [, commands = ''] = /Commands:\n([\s\S]*?)\n\n/.exec(stdout) ?? [stdout, stdout]
    const known = [...commands.matchAll(/^ {2}(\w+)/gm)]
      .map(([, name]) => name)
      .filter(name => name !== 'help')
    expect(named).to.have.members(known)
  })
})
