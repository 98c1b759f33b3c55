import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Subscriber } from '@booking-webhooks/core'
import { bookingWebhooks as forExpress } from '@booking-webhooks/express'
import { bookingWebhooks as forKoa } from '@booking-webhooks/koa'
import express from 'express'
import Koa from 'koa'
import mount from 'koa-mount'
import { ceiling } from './ceiling.js'
import { hand } from './hand.js'
import { type BenchInbox, inboxOn } from './inbox.js'

const slow: Subscriber = { takes: ['*'], tell: () => delay(60_000), timeoutMs: 120_000 }

/** The servers that receive, by name, on a database of their own. */
export const contestants = {
  ceiling: async (_database: string) => createServer(ceiling()),
  hand: async (database: string) => createServer(await hand(database)),
  /** This library in a process that only receives. */
  express: async (database: string) => onExpress(database, { dispatch: false }),
  koa: async (database: string) => {
    const inbox = inboxOn(database, { dispatch: false })
    await inbox.start()
    const webhooks = forKoa(inbox)
    return createServer(new Koa().use(mount('/webhooks', webhooks)).callback())
  },
  /** Settling and telling in the process that receives. */
  'express, dispatching': async (database: string) => onExpress(database, {}),
  'express, slow subscribers': async (database: string) =>
    onExpress(database, { subscribers: { calendar: slow, mail: slow } }),
} satisfies Record<string, (database: string) => Promise<Server>>

export type Contestant = keyof typeof contestants

async function onExpress(database: string, options: BenchInbox): Promise<Server> {
  const inbox = inboxOn(database, options)
  await inbox.start()
  return createServer(express().use('/webhooks', forExpress(inbox)))
}
