import { deepEqual } from 'node:assert/strict'
import type { FrameworkUnderTest, Run } from '../framework-contract.js'
import type { TestFunctions } from '../test-functions.js'
import { send } from './client.js'

/** What is below the mount, and what is the app's. */
export function pathsContract(
  { describe, it }: TestFunctions,
  run: Run,
  { body, sign }: FrameworkUnderTest,
): void {
  describe('paths', () => {
    it('serves the provider, its accounts and, for one provider, the mount itself', () =>
      run(async ({ port, path }) => {
        const escaped = path.replace(/.$/, last => `%${last.charCodeAt(0).toString(16)}`)
        const served = [path, `${path}/`, `${path}?a=b`, `${path}/default`, `${path}/default/`, escaped]
        for (const at of [...served, '/webhooks', '/webhooks/', '/webhooks?a=b', `${path}/d%65fault`]) {
          const { status } = await send(port, { path: at, headers: sign(body(1)), body: body(1) })
          deepEqual([at, status], [at, 200])
        }
      }))

    it('leaves everything else to the app, and never redirects', () =>
      run(async ({ port, path }) => {
        const elsewhere = [
          '/',
          '/webhooks/unknown',
          `${path}//`,
          `${path}/a/b`,
          `${path}2`,
          path.replace('/webhooks', '/webhooks2'),
          path.toUpperCase().replace('/WEBHOOKS', '/webhooks'),
          `${path}/%E0%A4%A`,
          `${path}/%00`,
          `${path}/${'a'.repeat(256)}`,
        ]
        for (const at of elsewhere)
          for (const method of ['POST', 'GET']) {
            const answer = await send(port, { method, path: at, headers: sign(body(1)), body: body(1) })
            deepEqual([method, at, answer.status, answer.body], [method, at, 404, method && 'the app'])
          }
      }))
  })
}
