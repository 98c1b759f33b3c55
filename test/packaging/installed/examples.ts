import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { until } from '../../crash/members.js'
import { freePort } from '../../examples/running.js'
import { blocksOf } from '../../readme/example.js'
import { sharedGrounds } from '../../support/ledgers.js'
import { asPublished } from '../as-published.js'
import { type Consumer, consumer } from '../consumer.js'
import { root } from '../packages.js'

const execute = promisify(execFile)

describe('an example whose folder alone was copied', function () {
  this.timeout(180_000)
  let project: Consumer
  afterEach(() => project.remove())

  it('express-sqlite shows a calendar', async () => {
    const [start = '', then = ''] = await copied('express-sqlite')
    const port = await freePort()
    const app = inBackground(start, { PORT: String(port) })
    try {
      await app.says('listening')
      const calendar = () => shell(then.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`))
      const first = await calendar()
      expect(first.match(/\b200\b/g)).to.have.length.at.least(2)
      // What is sent again is a repeat, and by now both are told.
      await until(async () => (await calendar()).includes('"who":"Ann Example"'), 60_000)
    } finally {
      await app.stop()
    }
  })

  const ground = sharedGrounds().find(({ name }) => name === 'PostgreSQL')
  if (!ground) it.skip('koa-postgres is not covered: TEST_POSTGRES_URL is not set')
  else
    it('koa-postgres receives in one process and tells in another', async () => {
      const [start = '', then = ''] = await copied('koa-postgres')
      const ledger = await ground.open()
      const port = await freePort()
      const onLedger = start
        .replace('createdb bookings\n', '')
        .replace('postgres://localhost/bookings', ledger.database)
      const both = inBackground(onLedger, { PORT: String(port) })
      try {
        await both.says('listening')
        await both.says('working')
        await shell(then.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`))
        await both.says('mail to ann@example.com: welcome')
      } finally {
        await both.stop()
        await ledger.close()
      }
    })

  it('one-adapter refuses what is not signed', async () => {
    await copied('one-adapter')
    const code =
      "const { handler } = await import('./handler.js')\nconsole.log(await handler({ headers: {} }))"
    expect(await project.run('call.mjs', code, { CALENDLY_SIGNING_KEY: 'a-key' })).to.equal(
      '{ statusCode: 401 }\n',
    )
  })

  it('your-own-adapter passes the contract', async () => {
    const [commands = ''] = await copied('your-own-adapter')
    expect(await shell(commands)).to.match(/^(# |ℹ )fail 0$/m)
  })

  /** Installs what its package.json names, and the command, and returns the blocks of shell commands in its README. */
  async function copied(name: string): Promise<string[]> {
    const folder = join(root, 'examples', name)
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    project = consumer(folder)
    const blocks = blocksOf(`examples/${name}/README.md`, 'sh')
    const isCommandUsed = blocks.some(block => block.includes('npx booking-webhooks'))
    const wanted = Object.keys({ ...dependencies, ...devDependencies })
    await project.install(...asPublished(...wanted, ...(isCommandUsed ? ['booking-webhooks'] : [])))
    return blocks
  }

  async function shell(commands: string): Promise<string> {
    return (await execute('bash', ['-euc', commands], { cwd: project.directory })).stdout
  }

  function inBackground(commands: string, environment: Record<string, string>) {
    const child: ChildProcess = spawn('bash', ['-euc', commands], {
      cwd: project.directory,
      env: { ...process.env, ...environment },
      // A group of its own, so that all that it starts can be ended.
      detached: true,
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', text => {
        said += text
      })
    const ended = new Promise(resolve => child.once('close', resolve))
    return {
      says: (text: string) =>
        until(() => said.includes(text), 60_000).catch(() => {
          throw new Error(`did not say "${text}", but: ${said}`)
        }),
      async stop() {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
        await ended
      },
    }
  }
})
