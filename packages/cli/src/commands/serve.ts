import { defaultBackoff } from '@booking-webhooks/core'
import { type Command, Option } from 'commander'
import { durationMs } from '../arguments/duration.js'
import { examples } from '../arguments/examples.js'
import { mountPath } from '../arguments/mount-path.js'
import { databaseOption, jsonOption, type SharedOptions } from '../arguments/shared-options.js'
import { wholeNumber } from '../arguments/whole-number.js'
import { demo } from '../demo/demo.js'
import { exitCode } from '../exit-code.js'
import type { Act } from '../run.js'
import { type ServeOptions, serve } from '../serve/serve.js'
import { untilStopped } from '../serve/until-stopped.js'

type Options = SharedOptions & ServeOptions & { demo?: boolean }

/** `serve`: receives, stores, and forwards. */
export function addServe(program: Command, act: Act): void {
  program
    .command('serve')
    .description('receive webhooks, store them and forward booking events')
    .option(
      '--port <number>',
      'where to listen, 0 for any free port (default: PORT, else 3000)',
      wholeNumber(0, 65_535),
    )
    .option('--host <address>', 'on which address', '127.0.0.1')
    .option('--path <path>', 'what stands before /<provider>', mountPath, '/webhooks')
    .option(
      '--forward-to <url>',
      'where events are posted, signed with FORWARD_SECRET (default: FORWARD_URL)',
    )
    .addOption(duration('--backoff-base', "the first back-off's upper bound", defaultBackoff.baseMs, '5s'))
    .addOption(duration('--backoff-cap', 'the longest back-off', defaultBackoff.capMs, '2h'))
    .option('--attempts <number>', 'attempts before a dead letter', wholeNumber(1), 25)
    .addOption(duration('--timeout', 'how long one post may take', 15_000, '15s'))
    .option('--concurrency <number>', 'how many events are told at once', wholeNumber(1), 16)
    .option('--no-dispatch', 'receive only: another process works')
    .addOption(
      new Option('--no-receive', 'work only; listens just where a port is given').conflicts('dispatch'),
    )
    .addOption(
      new Option('--demo', 'make demo keys where none are set, and play a story once').conflicts([
        'dispatch',
        'receive',
      ]),
    )
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks serve --forward-to https://example.com/hook', 'receive and forward'],
        ['booking-webhooks serve --no-dispatch', 'receive only'],
        ['booking-webhooks serve --no-receive', 'a worker on the same database'],
        ['booking-webhooks serve --demo', 'see it work, without any account'],
      ),
    )
    .action((options: Options) => act(run(options)))
}

function duration(flag: string, description: string, defaultMs: number, defaultText: string): Option {
  return new Option(`${flag} <duration>`, description).argParser(durationMs).default(defaultMs, defaultText)
}

async function run(options: Options): Promise<number> {
  const stopped = untilStopped()
  const close = await (options.demo ? demo(options, process.env) : start(options))
  await stopped
  await close()
  return exitCode.done
}

async function start(options: Options): Promise<() => Promise<void>> {
  const serving = await serve(options, process.env)
  if (serving.url !== null)
    process.stdout.write(
      options.json ? `${JSON.stringify({ listening: serving.url })}\n` : `listening on ${serving.url}\n`,
    )
  return serving.close
}
