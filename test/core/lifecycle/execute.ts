import type { Fact } from '@booking-webhooks/core'
import { type Calendar, keep } from './calendar.js'
import { type Engine, type EngineOptions, engine, type Told } from './engine.js'
import type { Random } from './random.js'
import { watchTells } from './watch-tells.js'

/** A run of an engine: what became of it, and what its subscriber heard in which order. */
export interface Run {
  engine: Engine
  calendar: Calendar
  heard: Told[]
  problems: string[]
}

/** Settles facts one after another; after each, everything that can be done is done. */
export function runInOrder(facts: readonly Fact[], options: EngineOptions = {}): Run {
  const run = begin(options)
  for (const fact of facts) {
    run.engine.settle(fact)
    finish(run)
  }
  return run
}

/** Settles facts in the order given, with looks, tells and failing callbacks in between as chance has it. */
export function runInterleaved(facts: readonly Fact[], random: Random, options: EngineOptions = {}): Run {
  const run = begin(options)
  const left = [...facts]
  while (left.length > 0 || run.engine.woken.size > 0 || run.engine.lanes.runnable().length > 0) {
    const chance = random(4)
    const fact = chance < 2 ? left.shift() : undefined
    if (fact) run.engine.settle(fact)
    else if (chance === 2) look(run, random(run.engine.woken.size || 1))
    else tellOne(run, random)
  }
  if (!run.engine.lanes.isEmpty()) run.problems.push('lanes wait for each other')
  return run
}

function begin(options: EngineOptions): Run {
  const problems: string[] = []
  const watch = watchTells(problem => problems.push(problem))
  return { engine: engine({ watch, ...options }), calendar: new Map(), heard: [], problems }
}

function finish(run: Run): void {
  while (run.engine.woken.size > 0) look(run, 0)
  for (let [lane] = run.engine.lanes.runnable(); lane; [lane] = run.engine.lanes.runnable()) hear(run, lane)
  if (!run.engine.lanes.isEmpty()) run.problems.push('lanes wait for each other')
}

function look({ engine }: Run, index: number): void {
  const eventId = [...engine.woken][index]
  if (eventId !== undefined) engine.look(eventId)
}

function tellOne(run: Run, random: Random): void {
  const lanes = run.engine.lanes.runnable()
  const lane = lanes[random(lanes.length || 1)]
  if (lane === undefined) return
  switch (random(3)) {
    case 0:
      // The callback fails before it does anything.
      return
    case 1:
      // It fails after it has done everything: it is told again later.
      keep(run.calendar, run.engine.lanes.peek(lane).announcement)
      return
    default:
      hear(run, lane)
  }
}

function hear(run: Run, lane: string): void {
  const told = run.engine.lanes.peek(lane)
  keep(run.calendar, told.announcement)
  run.heard.push(told)
  run.engine.lanes.done(lane)
}
