import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { FakeAcuity } from './fake-acuity.js'

/**
 * Steers a fake that runs in a process of its own:
 * `PUT /control/appointments/<id>` (fields to change), `DELETE` it, `PUT /control/answers/<id or *>` (an array of
 * `FakeAnswer`), `PUT /control/authorization` (a string or null), `GET /control/calls` (all, or `/<id>` those for one appointment).
 */
export async function answerControl(
  fake: FakeAcuity,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, , what, whose = ''] = path.split('/')
  switch (`${request.method} ${what}`) {
    case 'PUT appointments':
      return reply(response, fake.put({ ...((await json(request)) as object), id: Number(whose) }))
    case 'DELETE appointments':
      return reply(response, fake.remove(Number(whose)))
    case 'PUT answers':
      return reply(
        response,
        fake.answer(whose === '*' ? '*' : Number(whose), ...((await json(request)) as [])),
      )
    case 'PUT authorization':
      fake.authorization = (await json(request)) as string | null
      return reply(response, fake.authorization)
    case 'GET calls':
      return reply(response, whose === '' ? fake.calls : fake.calls.filter(({ id }) => id === whose))
    default:
      response.writeHead(404).end()
  }
}

function reply(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value ?? null))
}
