import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BookingEvent, invalidOption, standardErrorLog } from '@booking-webhooks/core'
import { type Environment, readKeys } from '../environment/index.js'
import { isPortTaken } from '../serve/listen.js'
import { type ServeOptions, type Serving, serve } from '../serve/serve.js'
import { withDemoKeys } from './demo-keys.js'
import { heldBack } from './held-back.js'
import { eventsLine, sendLine, storyTable } from './in-words.js'
import { play } from './play.js'
import { demoStory } from './story.js'

const signingKey = 'CALENDLY_SIGNING_KEY'

/**
 * Serves on a temporary database with demo keys, and plays the story once over HTTP; returns how to stop. INVALID_OPTION where
 * a database is named: invented bookings have no place among real ones.
 */
export async function demo(options: ServeOptions, given: Environment): Promise<() => Promise<void>> {
  refuseDatabase(options, given)
  const { environment, made } = withDemoKeys(given)
  const directory = await mkdtemp(join(tmpdir(), 'booking-webhooks-demo-'))
  const database = join(directory, 'demo.db')
  const told: BookingEvent[] = []
  const log = heldBack(standardErrorLog)
  const subscribers = { demo: { takes: ['*'], tell: (event: BookingEvent) => told.push(event) } }
  const serveOn = (port = options.port) =>
    serve({ ...options, database, port }, environment, { log, subscribers })
  try {
    const { inbox, url, close } = await onFreePort(serveOn, options.port ?? given.PORT)
    say(`listening on ${url}`)
    if (made.size > 0) say(`Not set: ${[...made.keys()].join(', ')}. This run has demo keys of its own.`)
    say('\nA story, sent over HTTP and signed as Calendly signs:\n')

    const [key = ''] = readKeys(environment, signingKey) ?? []
    const base = `${url}${options.path}`
    const urlOf = ({ path }: { path: string }) => `${base}${path}`
    say(storyTable(await play(demoStory(key), { inbox, told, urlOf })))
    say('\nLook at it from another terminal, with events, bookings or explain:\n')
    say(`  ${eventsLine(database)}`)
    say('\nIt stays up until Ctrl+C. Send a booking of your own from another terminal:\n')
    say(sendLine(base, made.get(signingKey)))
    log.release()

    return async () => {
      await close()
      await rm(directory, { recursive: true, force: true })
    }
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

/** Nobody who tries it out should have to look for a port: another one will do, unless one was asked for. */
async function onFreePort(
  serveOn: (port?: number) => Promise<Serving>,
  asked: string | number | undefined,
): Promise<Serving> {
  try {
    return await serveOn()
  } catch (error) {
    if (asked !== undefined || !isPortTaken(error)) throw error
    return serveOn(0)
  }
}

function refuseDatabase({ database }: ServeOptions, { DATABASE_URL }: Environment): void {
  if (database !== undefined || DATABASE_URL !== undefined)
    throw invalidOption(
      'serve --demo keeps its invented bookings in a database of its own. Leave out --database and DATABASE_URL.',
    )
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
