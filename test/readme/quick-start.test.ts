import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { post, until } from '../crash/members.js'

const root = join(import.meta.dirname, '../../..')

describe('the quick start of the README', () => {
  const code = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? ''
  // Inside of the repository, so that the imports are found as a user's are.
  const directory = mkdtempSync(join(import.meta.dirname, 'quick-start-'))
  after(() => rmSync(directory, { recursive: true, force: true }))

  it('has at most 30 lines', () => {
    expect(code.trim().split('\n').filter(Boolean)).to.have.length.within(5, 30)
  })

  it('receives a signed booking once', async () => {
    writeFileSync(join(directory, 'app.mjs'), code)
    const port = await freePort()
    const key = 'the-key-of-the-quick-start'
    const child = spawn(process.execPath, ['app.mjs'], {
      cwd: directory,
      env: { ...process.env, PORT: String(port), CALENDLY_SIGNING_KEY: key, DATABASE_URL: './bookings.db' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stdout.on('data', chunk => {
      said += chunk
    })
    try {
      const delivery = calendlyDelivery({ key, event: 'invitee.created' })
      await until(async () => (await post(port, delivery)) === 200)
      expect(await post(port, delivery)).to.equal(200)
      await until(() => said.includes('mail to'))
      await new Promise(resolve => setTimeout(resolve, 200))
      expect(said).to.equal('mail to ann@example.com\n')
    } finally {
      child.kill('SIGKILL')
    }
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
