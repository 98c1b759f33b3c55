import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { UsualAnswer } from './usual-answer.js'

/** A dynamic webhook as the API shows it. */
export interface FakeWebhook {
  id: number
  event: string
  target: string
  status: 'active' | 'disabled'
}

const room = 25
const events = ['scheduled', 'rescheduled', 'canceled', 'changed'].map(name => `appointment.${name}`)

/** `GET` and `POST /webhooks`, `DELETE /webhooks/<id>`. The messages of its refusals are invented. */
export async function answerWebhooks(
  webhooks: FakeWebhook[],
  path: string,
  request: IncomingMessage,
): Promise<UsualAnswer> {
  const [, , id] = path.split('/')
  switch (`${request.method} ${id === undefined ? 'all' : 'one'}`) {
    case 'GET all':
      return { status: 200, json: structuredClone(webhooks) }
    case 'POST all':
      return made(webhooks, (await json(request)) as Partial<FakeWebhook>)
    case 'DELETE one': {
      const index = webhooks.findIndex(one => String(one.id) === id)
      if (index === -1) return { status: 404 }
      webhooks.splice(index, 1)
      return { status: 204 }
    }
    default:
      return { status: 405 }
  }
}

function made(webhooks: FakeWebhook[], { event = '', target = '' }: Partial<FakeWebhook>): UsualAnswer {
  if (![...events, 'order.completed'].includes(event)) return { status: 400, message: 'Invalid event.' }
  if (!URL.canParse(target) || new URL(target).port !== '') return { status: 400, message: 'Invalid port.' }
  if (webhooks.length >= room) return { status: 400, message: `Limited to ${room} webhooks.` }
  const id = Math.max(0, ...webhooks.map(one => one.id)) + 1
  const webhook: FakeWebhook = { id, event, target, status: 'active' }
  webhooks.push(webhook)
  return { status: 201, json: webhook }
}
