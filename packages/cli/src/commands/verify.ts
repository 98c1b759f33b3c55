import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { invalidOption } from '@booking-webhooks/core'
import { type Command, Option } from 'commander'
import { examples } from '../arguments/examples.js'
import { instantUs } from '../arguments/instant.js'
import { jsonOption, type SharedOptions, unusedDatabaseOption } from '../arguments/shared-options.js'
import { type ProviderName, providerVariables, providerWith, readKeys } from '../environment/index.js'
import { exitCode } from '../exit-code.js'
import type { Act } from '../run.js'
import { examine } from '../verify/examine.js'
import { rawRequest } from '../verify/raw-request.js'

interface VerifyOptions extends SharedOptions {
  provider: ProviderName
  key?: string
  at?: number
}

const names = Object.keys(providerVariables) as ProviderName[]

/** `verify`: whether a captured request was signed, and if not, why. */
export function addVerify(program: Command, act: Act): void {
  program
    .command('verify')
    .description('say whether a captured request was signed by its provider, and if not, why')
    .argument('<file>', 'a raw HTTP request: request line, headers, empty line, body; - for standard input')
    .addOption(new Option('--provider <name>', 'whose request').choices(names).makeOptionMandatory())
    .option('--key <key>', "the key that should fit (default: the environment's, all of them)")
    .option('--at <instant>', 'when it was received (default: now)', instantUs)
    .addOption(unusedDatabaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nSays ok, missing-header, malformed, wrong-key, stale, reserialized or wrong-encoding, with a sentence of advice.',
    )
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks verify --provider calendly request.http', 'with CALENDLY_SIGNING_KEY'],
        [
          'nc -l 8080 | booking-webhooks verify --provider acuity --key KEY -',
          'the next request to port 8080',
        ],
      ),
    )
    .action((file: string, options: VerifyOptions) => act(verify(file, options)))
}

async function verify(file: string, { provider, key, at, json }: VerifyOptions): Promise<number> {
  const { key: variable } = providerVariables[provider]
  const keys = key === undefined ? readKeys(process.env, variable) : [key]
  if (keys === undefined) throw invalidOption(`There is no key to try. Pass --key, or set ${variable}.`)
  const raw = rawRequest(await read(file))
  const { verdict, advice } = await examine(raw, {
    // Made with a key that no one has: a wrong one is to be judged here, not refused at creation.
    adapter: providerWith(provider, [variable], {}),
    keys,
    otherKeys: otherKeys(provider),
    now: at === undefined ? new Date() : new Date(at / 1_000),
  })
  process.stdout.write(
    json ? `${JSON.stringify({ provider, verdict, advice })}\n` : `${verdict}: ${advice}\n`,
  )
  return verdict === 'ok' ? exitCode.done : exitCode.notSo
}

async function read(file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin)
  return readFile(file).catch(error => {
    throw invalidOption(`${file} cannot be read (${error.code}).`)
  })
}

function otherKeys(provider: ProviderName): Map<string, string[]> {
  return new Map(
    names
      .filter(name => name !== provider)
      .map(name => providerVariables[name].key)
      .flatMap(variable => {
        const keys = readKeys(process.env, variable)
        return keys === undefined ? [] : [[variable, keys] as const]
      }),
  )
}
