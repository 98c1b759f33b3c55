import { spawn } from 'node:child_process'
import { calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { post, until } from '../crash/members.js'
import { freePort } from '../examples/running.js'
import { blocksOf, writeExample } from './example.js'

describe('the quick start of the README', () => {
  const { directory, file, remove } = writeExample('README.md')
  after(remove)

  it('has at most 30 lines', () => {
    const [code = ''] = blocksOf('README.md', 'js')
    expect(code.trim().split('\n').filter(Boolean)).to.have.length.within(5, 30)
  })

  it('receives a signed booking once', async () => {
    const port = await freePort()
    const key = 'the-key-of-the-quick-start'
    const child = spawn(process.execPath, [file], {
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
