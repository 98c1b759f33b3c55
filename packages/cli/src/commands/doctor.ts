import type { Command } from 'commander'
import { examples } from '../arguments/examples.js'
import { databaseOption, jsonOption, type SharedOptions } from '../arguments/shared-options.js'
import { examineConfiguration } from '../doctor/configuration.js'
import { examineDatabase } from '../doctor/database.js'
import type { Finding } from '../doctor/finding.js'
import { databaseFrom } from '../environment/index.js'
import { exitCode } from '../exit-code.js'
import { printRows } from '../print/print-rows.js'
import type { Column } from '../print/table.js'
import type { Act } from '../run.js'

/** `doctor`: whether anything needs a person. */
export function addDoctor(program: Command, act: Act): void {
  program
    .command('doctor')
    .description('look at configuration, database, schema, clock, backlog, dead letters and lanes')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        ['booking-webhooks doctor', 'exit 1 if anything needs a person'],
        ['booking-webhooks doctor --json | jq -r \'select(.state == "problem").detail\'', 'only problems'],
      ),
    )
    .action((options: SharedOptions) => act(doctor(options)))
}

async function doctor({ database, json }: SharedOptions): Promise<number> {
  const findings = [
    ...examineConfiguration(process.env),
    ...(await examineDatabase(() => database ?? databaseFrom(process.env))),
  ]
  await printRows(findings, { json, columns, none: '' })
  return findings.some(({ state }) => state === 'problem') ? exitCode.notSo : exitCode.done
}

const columns: Column<Finding>[] = [
  { title: 'check', show: ({ check }) => check },
  { title: 'state', show: ({ state }) => state },
  { title: 'detail', show: ({ detail }) => detail, width: 72 },
]
