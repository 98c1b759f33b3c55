import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { exampleOf } from '../readme/example.js'

describe('acuity: the example of the README', () => {
  const directory = mkdtempSync(join(tmpdir(), 'booking-webhooks-'))
  after(() => rmSync(directory, { recursive: true, force: true }))

  it('plays a story and tells what was heard of it', async function () {
    this.timeout(60_000)
    const { heardOf } = await exampleOf('packages/acuity/README.md', {}, code =>
      code.replace(
        'dispatch: false',
        'dispatch: false, log: { debug() {}, info() {}, warn() {}, error() {} }',
      ),
    )
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
