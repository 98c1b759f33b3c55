import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { asPublished, isOwn, withOwn } from '../as-published.js'
import { type Consumer, consumer } from '../consumer.js'
import { root } from '../packages.js'
import { booking } from './booking.js'

describe('the quick start, installed', function () {
  this.timeout(180_000)
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const wanted = /^npm install (.+)$/m.exec(readme)?.[1].split(' ') ?? []
  const code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const key = 'a-key'
  const app = code.replace(
    'app.listen(process.env.PORT ?? 3000)',
    'const server = app.listen(0, () => book())',
  )
  const book = booking(key, 'await webhooks.inbox.drain()\nawait webhooks.close()')
  let project: Consumer
  before(async () => {
    project = consumer()
    await project.install(...asPublished(...wanted))
  })
  after(() => project.remove())

  const said = async (file: string, app: string) =>
    (await project.run(file, `${app}\n${book}`, { CALENDLY_SIGNING_KEY: key })).trim().split('\n')

  it('needs what it names, and no other adapter or framework', () => {
    const installed = project.installed()
    expect(installed.filter(isOwn)).to.have.members([...new Set(wanted.filter(isOwn).flatMap(withOwn))])
    for (const other of [
      'koa',
      '@booking-webhooks/koa',
      '@booking-webhooks/calcom',
      '@booking-webhooks/acuity',
    ])
      expect(installed).not.to.include(other)
  })

  it('receives a booking, as a module', async () => {
    expect(await said('esm.mjs', app)).to.have.members(['200', 'mail to ann@example.com'])
  })

  it('receives a booking, from CommonJS', async () => {
    const requiring = app
      .replaceAll(/^import (\{.+\}) from (.+)$/gm, 'const $1 = require($2)')
      .replace("import express from 'express'", "const express = require('express')")
      .replace('./bookings.db', './cjs.db')
    expect(await said('cjs.cjs', requiring)).to.have.members(['200', 'mail to ann@example.com'])
  })
})
