import { ack } from './ack.js'
import { drain } from './drain.js'
import { growth } from './growth.js'
import { type Plan, planOf, type Section, sections } from './plan.js'
import { print, shortened } from './print.js'
import type { Measured, Results } from './result.js'
import { slow } from './slow.js'
import { verify } from './verify.js'

const measure: Record<Section, (plan: Plan) => Promise<Measured>> = {
  ack: plan => ack(plan, { name: 'ack', copies: 1 }),
  storm: plan => ack(plan, { name: 'storm', copies: 10 }),
  drain,
  growth,
  slow,
  verify,
}

const plan = planOf(process.argv.slice(2))
const results: Results = { ack: [], storm: [], drain: [], growth: [], slow: [], verify: [], checks: [] }
for (const section of sections.filter(name => plan.sections.includes(name))) {
  const beganAt = performance.now()
  const measured = await measure[section](plan)
  results[section] = measured.rows.map(shortened)
  results.checks.push(...measured.checks)
  console.error(`${section}: ${((performance.now() - beganAt) / 1000).toFixed(1)} s`)
}
console.log(plan.isJson ? JSON.stringify(results) : print(results))
// Ratios depend on the machine and fail nothing; what was lost or doubled does.
process.exitCode = results.checks.every(check => check.ok) ? 0 : 1
