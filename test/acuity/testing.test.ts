import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type AcuityAppointment, acuity } from '@booking-webhooks/acuity'
import {
  acuityDelivery,
  acuityStories,
  type FakeAcuity,
  startFakeAcuity,
} from '@booking-webhooks/acuity/testing'
import { expect } from 'chai'
import { request } from './requests.js'

describe('testing: sample deliveries', () => {
  it('are signed and read like Acuity’s own', async () => {
    const adapter = acuity({ apiKey: 'test-key-1' })
    for (const story of Object.values(acuityStories))
      for (const { title, headers, body, appointment } of story({ key: 'test-key-1', prefix: 'x' })) {
        const delivery = request(body, new Headers(headers))
        await adapter.verify(delivery, { keys: ['test-key-1'], now: new Date() })
        const read = adapter.read(delivery, { hash: text => text })
        expect('readings' in read && read.readings[0].unreadable, title).to.equal(null)
        if (appointment)
          expect('readings' in read && read.readings[0].bookingId).to.equal(String(appointment.id))
      }
  })

  it('do not touch each other under different prefixes', () => {
    const ids = ['', 'a', 'b'].map(prefix => acuityStories.book({ key: 'k', prefix })[0].appointment?.id)
    expect(new Set(ids).size).to.equal(3)
  })

  it('take the fields that a test wants', () => {
    const { body, path } = acuityDelivery({
      key: 'k',
      action: 'changed',
      id: 7,
      account: 'salon east',
      fields: { calendarID: undefined, appointmentTypeID: '2' },
    })
    expect(Buffer.from(body).toString()).to.equal('action=changed&id=7&appointmentTypeID=2')
    expect(path).to.equal('/acuity/salon%20east')
  })
})

describe('testing: the fake of Acuity’s API', () => {
  let fake: FakeAcuity
  beforeEach(async () => {
    fake = await startFakeAcuity()
  })
  afterEach(() => fake.close())

  const get = async (id: number, authorization?: string) => {
    const response = await fetch(`${fake.url}/appointments/${id}`, {
      headers: authorization ? { authorization } : {},
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  it('answers with the state that was put last', async () => {
    expect((await get(7)).status).to.equal(404)
    fake.put({ id: 7, firstName: 'Bob' })
    fake.put({ id: 7, canceled: true })
    const appointment: AcuityAppointment = JSON.parse((await get(7)).text)
    expect(appointment).to.deep.include({ id: 7, firstName: 'Bob', canceled: true, lastName: 'Lindqvist' })
    fake.remove(7)
    expect((await get(7)).status).to.equal(404)
    expect(fake.calls.map(call => [call.id, call.status])).to.deep.equal([
      ['7', 404],
      ['7', 200],
      ['7', 404],
    ])
  })

  it('answers with the state at the moment the request arrived, however late', async () => {
    fake.put({ id: 7, notes: 'before' })
    fake.answer(7, { delayMs: 200 })
    const answer = get(7)
    while (fake.calls.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
    fake.put({ id: 7, notes: 'after' })
    expect(JSON.parse((await answer).text).notes).to.equal('before')
  })

  it('fails as scripted, in order and as often as asked, then is well again', async () => {
    fake.put({ id: 7 })
    fake.put({ id: 8 })
    fake.answer(
      7,
      { status: 503, times: 2 },
      { status: 429, headers: { 'retry-after': '3' } },
      { body: '<html>' },
    )
    expect((await get(7)).status).to.equal(503)
    expect((await get(8)).status).to.equal(200)
    expect((await get(7)).status).to.equal(503)
    expect((await get(7)).headers.get('retry-after')).to.equal('3')
    expect((await get(7)).headers.get('content-type')).to.equal('text/html')
    expect((await get(7)).status).to.equal(200)
    fake.answer('*', { hang: true })
    const hung = fetch(`${fake.url}/appointments/8`, { signal: AbortSignal.timeout(50) })
    expect(await hung.catch((error: Error) => error.name)).to.equal('TimeoutError')
  })

  it('lets in only the authorization that it was given', async () => {
    fake.put({ id: 7 })
    fake.authorization = 'Basic abc'
    expect((await get(7)).status).to.equal(401)
    expect((await get(7, 'Basic abc')).status).to.equal(200)
  })

  it('lists appointments by date and calendar, at most as many as asked for', async () => {
    fake.put({ id: 1, datetime: '2027-03-10T23:30:00-0800', calendarID: 1 })
    fake.put({ id: 2, datetime: '2027-03-11T08:00:00-0800', calendarID: 2, canceled: true })
    fake.put({ id: 3, datetime: '2027-03-12T08:00:00-0700', calendarID: 2 })
    const list = async (query: string) =>
      JSON.parse(await (await fetch(`${fake.url}/appointments?${query}`)).text()) as AcuityAppointment[]
    const ids = async (query: string) => (await list(query)).map(one => one.id)
    expect(await ids('')).to.deep.equal([3, 1])
    expect(await ids('direction=ASC&showall=true')).to.deep.equal([1, 2, 3])
    expect(await ids('direction=ASC&showall=true&max=2')).to.deep.equal([1, 2])
    expect(await ids('minDate=2027-03-10&maxDate=2027-03-11&showall=true')).to.deep.equal([2, 1])
    expect(await ids('calendarID=2')).to.deep.equal([3])
    expect((await list(''))[0]).to.have.property('forms')
    expect((await list('excludeForms=true'))[0]).to.not.have.property('forms')
  })

  it('keeps webhooks, up to 25', async () => {
    const target = 'https://hooks.example.com/'
    const post = (body: object) =>
      fetch(`${fake.url}/webhooks`, { method: 'POST', body: JSON.stringify(body) })
    expect((await post({ event: 'appointment.changed', target })).status).to.equal(201)
    for (const wrong of [
      { event: 'changed', target },
      { event: 'order.completed', target: 'https://a.example.com:8443' },
    ])
      expect((await post(wrong)).status).to.equal(400)
    for (let number = 2; number <= 25; number += 1) await post({ event: 'order.completed', target })
    expect(await (await post({ event: 'order.completed', target })).text()).to.contain('25')
    const remove = async () => (await fetch(`${fake.url}/webhooks/1`, { method: 'DELETE' })).status
    expect([await remove(), await remove()]).to.deep.equal([204, 404])
    const left = await (await fetch(`${fake.url}/webhooks`)).json()
    expect(left).to.have.length(24).and.to.deep.equal(fake.webhooks)
    expect((await fetch(`${fake.url}/webhooks/2`)).status).to.equal(405)
  })

  it('runs as a process of its own, steered over HTTP', async () => {
    const program = fileURLToPath(
      new URL('serve-fake-acuity.js', import.meta.resolve('@booking-webhooks/acuity/testing')),
    )
    const child = spawn(process.execPath, [program, '--user', '1000001', '--key', 'test-key-1'])
    try {
      const [line] = await once(child.stdout, 'data')
      const url = /^listening on (\S+)\n$/.exec(String(line))?.[1] ?? ''
      const control = async (method: string, path: string, body?: unknown) => {
        const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
        return (await fetch(new URL(`/control/${path}`, url), init)).json()
      }
      expect(await control('PUT', 'appointments/7', { notes: 'x' })).to.deep.include({ id: 7, notes: 'x' })
      expect((await fetch(`${url}/appointments/7`)).status).to.equal(401)
      const headers = { authorization: 'Basic MTAwMDAwMTp0ZXN0LWtleS0x' }
      expect((await fetch(`${url}/appointments/7`, { headers })).status).to.equal(200)
      await control('PUT', 'authorization', null)
      await control('PUT', 'answers/7', [{ status: 503 }])
      expect((await fetch(`${url}/appointments/7`)).status).to.equal(503)
      await control('DELETE', 'appointments/7')
      expect((await fetch(`${url}/appointments/7`)).status).to.equal(404)
      expect(await control('GET', 'calls')).to.have.length(4)
    } finally {
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).to.deep.equal([0, null])
    }
  })
})
