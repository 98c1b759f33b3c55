import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'

const readme = join(import.meta.dirname, '../../../packages/acuity/README.md')

describe('acuity: the example of the README', () => {
  // Inside of the repository, so that the imports are found as a user's are.
  const directory = mkdtempSync(join(import.meta.dirname, 'readme-'))
  after(() => rmSync(directory, { recursive: true, force: true }))

  it('plays a story and tells what was heard of it', async function () {
    this.timeout(60_000)
    const code = /```js\n([\s\S]*?)```/.exec(readFileSync(readme, 'utf8'))?.[1] ?? ''
    const file = join(directory, 'example.mjs')
    writeFileSync(
      file,
      code.replace(
        'dispatch: false',
        'dispatch: false, log: { debug() {}, info() {}, warn() {}, error() {} }',
      ),
    )
    const { heardOf } = await import(pathToFileURL(file).href)
    const stories: Record<string, string[]> = {
      cancel: ['booking.created', 'booking.canceled'],
      reschedule: ['booking.created', 'booking.rescheduled', 'booking.rescheduled'],
      'no-show': ['booking.created', 'booking.canceled', 'booking.no_show', 'booking.updated'],
      'double-booking': ['booking.created', 'booking.conflict', 'booking.canceled', 'booking.created'],
      'late-create': ['booking.canceled'],
      group: ['booking.created', 'booking.created', 'booking.canceled'],
      retry: ['booking.created'],
      changed: ['booking.created', 'booking.updated'],
      unknown: ['provider.waitlist.joined'],
      order: ['provider.order.completed'],
    }
    for (const [story, heard] of Object.entries(stories))
      expect(await heardOf(story, join(directory, `${story}.db`)), story).to.deep.equal(heard)
  })
})
