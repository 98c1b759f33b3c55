import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { exitCode } from './exit-code.js'
import { reportError } from './report-error.js'

/** Takes a command's run and keeps its exit code. */
export type Act = (running: Promise<number>) => Promise<void>

/** Adds one command to the program. */
type Add = (program: Command, act: Act) => void

/** Each is loaded when it is called or listed: drivers and Express take longer to load than most commands to run. */
const commands: Record<string, () => Promise<Add>> = {
  serve: async () => (await import('./commands/serve.js')).addServe,
  migrate: async () => (await import('./commands/migrate.js')).addMigrate,
  events: async () => (await import('./commands/events.js')).addEvents,
  bookings: async () => (await import('./commands/bookings.js')).addBookings,
  explain: async () => (await import('./commands/explain.js')).addExplain,
  replay: async () => (await import('./commands/replay.js')).addReplay,
  dead: async () => (await import('./commands/dead.js')).addDead,
  doctor: async () => (await import('./commands/doctor.js')).addDoctor,
  send: async () => (await import('./commands/send.js')).addSend,
  verify: async () => (await import('./commands/verify.js')).addVerify,
}

/** Runs the command `booking-webhooks` with these arguments; resolves to the exit code and never rejects. */
export async function run(argv: readonly string[]): Promise<number> {
  let code: number = exitCode.done
  const act: Act = async running => {
    code = await running
  }
  const program = new Command('booking-webhooks')
    .description(
      'Receives booking webhooks from Calendly, Cal.com and Acuity, and shows what became of them.',
    )
    .version(await version())
    .exitOverride()
    // An option belongs to the command that it stands behind: `dead replay --json`.
    .enablePositionalOptions()
    .addHelpText('after', '\nSettings come from the environment: DATABASE_URL, CALENDLY_SIGNING_KEY, …')
  try {
    const [name = ''] = argv
    for (const load of Object.hasOwn(commands, name) ? [commands[name]] : Object.values(commands))
      (await load?.())?.(program, act)
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    return reportError(error)
  }
}

/** All packages have one version. */
async function version(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(manifest).version
}
