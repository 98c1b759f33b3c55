import { invalidOption } from '@booking-webhooks/core'
import { type Command, Option } from 'commander'
import { examples } from '../arguments/examples.js'
import { jsonOption, type SharedOptions, unusedDatabaseOption } from '../arguments/shared-options.js'
import { wholeNumber } from '../arguments/whole-number.js'
import { type ProviderName, providerVariables, readKeys, readVariable } from '../environment/index.js'
import { exitCode } from '../exit-code.js'
import { table } from '../print/table.js'
import type { Act } from '../run.js'
import type { Delivered } from '../send/deliver.js'
import { endpoint } from '../send/endpoint.js'
import { isSameState, putIntoFake } from '../send/fake-acuity-api.js'
import { stories, storyOf } from '../send/stories.js'
import { summary } from '../send/summary.js'
import { tellStories } from '../send/tell-stories.js'

interface SendOptions extends SharedOptions {
  provider?: ProviderName
  story: string
  count: number
  concurrency: number
  key?: string
}

const names = Object.keys(providerVariables) as ProviderName[]

/** `send`: signed sample deliveries, as a provider would send them. */
export function addSend(program: Command, act: Act): void {
  program
    .command('send')
    .description('send signed sample deliveries to an endpoint')
    .argument('<url>', 'where to: http://127.0.0.1:3000/webhooks')
    .addOption(
      new Option('--provider <name>', 'whose deliveries (default: the first whose key is set)').choices(
        names,
      ),
    )
    .option('--story <name>', 'what happens', 'book')
    .option('--count <number>', 'how many times, each with ids of its own', wholeNumber(1), 1)
    .option('--concurrency <number>', 'how many stories at once', wholeNumber(1, 1_000), 1)
    .option('--key <key>', "the key to sign with (default: the environment's)")
    .addOption(unusedDatabaseOption())
    .addOption(jsonOption())
    .addHelpText('after', `\nStories:\n${storyNames()}`)
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks send http://127.0.0.1:3000/webhooks', 'one booking'],
        ['booking-webhooks send http://127.0.0.1:3000/webhooks --story reschedule', 'both halves of a move'],
        ['booking-webhooks send https://example.com/webhooks --count 1000 --concurrency 20', 'a storm'],
      ),
    )
    .action((url: string, options: SendOptions) => act(send(url, options)))
}

async function send(url: string, options: SendOptions): Promise<number> {
  const { story, count, concurrency, json } = options
  const provider = options.provider ?? connectedProvider(options.key)
  const results: Delivered[] = []
  const notes = new Set<string>()
  await tellStories(
    {
      story: storyOf(provider, story),
      key: options.key ?? keyOf(provider),
      count,
      concurrency,
      urlOf: ({ path }) => endpoint(url, provider, path),
      async prepare(delivery) {
        const { advice, isSeen } = await putIntoFake(delivery, readVariable(process.env, 'ACUITY_API_URL'))
        if (advice !== null) notes.add(advice)
        return isSeen
      },
      isSame: isSameState,
    },
    result => {
      results.push(result)
      if (json) process.stdout.write(`${JSON.stringify({ provider, story, ...result })}\n`)
    },
  )
  if (!json) process.stdout.write(inWords(results))
  for (const note of notes) process.stderr.write(`${note}\n`)
  return results.every(({ ok }) => ok) ? exitCode.done : exitCode.notSo
}

/** More rows than fit a screen are summed up instead. */
const mostRows = 40

function inWords(results: Delivered[]): string {
  if (results.length > mostRows) return `${summary(results)}\n`
  const rows = table<Delivered>(
    [
      { title: 'what happens', show: ({ title }) => title },
      { title: 'answer', show: ({ status, error }) => status ?? error },
      { title: 'took', show: ({ ms }) => `${ms} ms` },
    ],
    results,
  )
  return `${rows}\n\n${summary(results)}\n`
}

function connectedProvider(key: string | undefined): ProviderName {
  const connected = names.find(name => readKeys(process.env, providerVariables[name].key))
  if (connected === undefined && key === undefined) throw noKey(names)
  return connected ?? 'calendly'
}

function keyOf(provider: ProviderName): string {
  const key = readKeys(process.env, providerVariables[provider].key)?.[0]
  if (key === undefined) throw noKey([provider])
  return key
}

function noKey(providers: ProviderName[]): Error {
  const variables = providers.map(name => providerVariables[name].key).join(' or ')
  return invalidOption(`There is no key to sign with. Pass --key, or set ${variables}.`)
}

function storyNames(): string {
  return Object.entries(stories)
    .map(([provider, told]) => `  ${provider}: ${Object.keys(told).sort().join(', ')}`)
    .join('\n')
}
