import { type CalendlyDeliveryOptions, calendlyDelivery } from '@booking-webhooks/calendly/testing'
import { expect } from 'chai'
import { sharedGrounds } from '../support/ledgers.js'
import { shortId, signingKey, workbench } from '../support/workbench.js'
import { type Member, scene, startMember, until } from './members.js'

const attempts = 4
const neighbours = Array.from({ length: 15 }, (_, index) => `IN${index}`)

for (const ground of sharedGrounds())
  describe(`what kills its process while it is settled (${ground.name})`, function () {
    this.timeout(120_000)

    it(`is tried ${attempts} times and then dead, it alone: its neighbours are settled, and what comes after it in its lane`, async () => {
      const stage = scene()
      const ledger = await ground.open()
      const bench = workbench({ database: ledger.database, subscribers: {} })
      const start = (): Member =>
        startMember({
          database: ledger.database,
          signingKey,
          notes: stage.notes,
          receives: false,
          works: true,
          leaseMs: 1_000,
          attempts,
          backoff: { baseMs: 1_000, capMs: 4_000 },
          poisonHost: 'poison',
        })
      const invitee = (id: string) => ({ id, meeting: `EV${id}`, hosts: [`US${id}`] })
      const ids = [...neighbours.slice(0, 4), 'poison', ...neighbours.slice(4, 6)]
      for (const id of ids)
        await bench.deliver(
          calendlyDelivery({ key: signingKey, event: 'invitee.created', invitee: invitee(id) }),
        )
      const handedOver = { ...invitee('poison'), hosts: ['USother'] }
      await bench.deliver(
        calendlyDelivery({ key: signingKey, event: 'invitee_no_show.created', invitee: handedOver }),
      )
      let member = start()
      let deaths = 0
      let isOver = false
      const again = (): void => {
        void member.gone.then(() => {
          if (isOver) return
          deaths += 1
          member = start()
          again()
        })
      }
      again()
      try {
        await until(async () => (await bench.inbox.events({ status: 'pending' })).rows.length === 0, 90_000)
        const { rows } = await bench.inbox.events({})
        expect(
          rows.map(({ type, bookingId, outcome }) => `${type} ${shortId(bookingId ?? '')} ${outcome}`).sort(),
        ).to.deep.equal(
          [
            ...neighbours.slice(0, 6).map(id => `booking.created ${id} accepted`),
            'booking.created poison null',
            'booking.no_show poison accepted',
          ].sort(),
        )
        const [dead] = (await bench.inbox.events({ status: 'dead' })).rows
        expect(dead?.reason).to.equal('Its attempts are used up; the last run did not come back.')
        expect(deaths).to.equal(attempts)
      } finally {
        isOver = true
        await member.stop()
        await bench.close()
        await ledger.close()
        stage.remove()
      }
    })
  })

for (const ground of sharedGrounds())
  describe(`a callback that kills its process (${ground.name})`, function () {
    this.timeout(120_000)

    it(`is tried ${attempts} times and then dead, it alone: its neighbours are told, and what comes after it in its lane`, async () => {
      const stage = scene()
      const ledger = await ground.open()
      const bench = workbench({ database: ledger.database, subscribers: {} })
      const start = (): Member =>
        startMember({
          database: ledger.database,
          signingKey,
          notes: stage.notes,
          receives: false,
          works: true,
          leaseMs: 1_000,
          callbackMs: 20,
          attempts,
          // Much longer than a callback, as gaps are: so the poison's run seldom meets the same neighbour's twice.
          backoff: { baseMs: 500, capMs: 2_000 },
          poison: 'poison',
        })
      const deliver = async (options: Omit<CalendlyDeliveryOptions, 'key'>) => {
        const reply = await bench.deliver(calendlyDelivery({ key: signingKey, ...options }))
        expect(reply.status).to.equal(200)
      }
      let member = start()
      let deaths = 0
      let isOver = false
      const again = (): void => {
        void member.gone.then(() => {
          if (isOver) return
          deaths += 1
          member = start()
          again()
        })
      }
      again()
      try {
        // Registered once: what is settled from now on is told.
        await member.ready
        const invitee = (id: string) => ({ id, meeting: `EV${id}`, hosts: [`US${id}`] })
        const [first, ...others] = [...neighbours.slice(0, 8), 'poison', ...neighbours.slice(8)]
        for (const id of [first!, ...others])
          await deliver({ event: 'invitee.created', invitee: invitee(id) })
        const [old, next] = [invitee('poison'), invitee('next')]
        const at = new Date(Date.now() + 1_000)
        await deliver({ event: 'invitee.canceled', at, invitee: { ...old, newInvitee: next } })
        await deliver({ event: 'invitee.created', at, invitee: { ...next, oldInvitee: old } })
        await until(async () => (await bench.inbox.events({ status: 'pending' })).rows.length === 0, 90_000)

        const dead = (await bench.inbox.events({ status: 'dead' })).rows
        expect(
          dead.map(({ type, bookingId, tells }) => [type, shortId(bookingId ?? ''), tells]),
        ).to.deep.equal([
          [
            'booking.created',
            'poison',
            [
              {
                subscriber: 'notes',
                status: 'dead',
                attempts,
                lastError: 'Its attempts are used up; the last run did not come back.',
              },
            ],
          ],
        ])
        expect(deaths).to.equal(attempts)
        const notes = stage.read()
        const began = notes.filter(({ what, booking }) => what === 'began' && shortId(booking) === 'poison')
        expect(began.map(({ attempt }) => attempt)).to.deep.equal([1, 2, 3, 4])
        const told = notes
          .filter(({ what }) => what === 'done')
          .map(({ type, booking }) => `${type} ${shortId(booking)}`)
        expect([...new Set(told)].sort()).to.deep.equal(
          [...neighbours.map(id => `booking.created ${id}`), 'booking.rescheduled next'].sort(),
        )
      } finally {
        isOver = true
        await member.stop()
        await bench.close()
        await ledger.close()
        stage.remove()
      }
    })
  })
