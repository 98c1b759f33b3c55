import { calendly } from '@booking-webhooks/calendly'
import { createInbox, type Store } from '@booking-webhooks/core'
import { bookingWebhooks } from '@booking-webhooks/express'
import { knexStore } from '@booking-webhooks/knex'
import type { Knex } from 'knex'

const providers = [calendly({ signingKey: 'key' })] as const
const store = knexStore('file.db')

store satisfies Store<Knex.Transaction>

// What its callbacks are given depends on `transactional` alone.
for (const start of [createInbox, bookingWebhooks])
  start({
    providers,
    store,
    subscribers: {
      ledger: {
        transactional: true,
        timeoutMs: 200,
        on: {
          'booking.created': async ({ booking, provider }, { trx, signal, attempt }) => {
            const name: 'calendly' = provider
            await trx('entries').insert({ id: booking.id, name, attempt, isLate: signal.aborted })
          },
          'booking.rescheduled': ({ previous }, { trx }) =>
            trx('entries').where({ id: previous.bookingId }).delete(),
          // @ts-expect-error what it does is committed with the tell, so there is nothing to keep
          'booking.canceled': (_, { once }) => once('entry', () => 1),
          'booking.conflict': null,
        },
      },
      plain: {
        timeoutMs: 200,
        on: {
          'booking.created': ({ booking }, { once }) => once('entry', () => booking.id),
          'booking.rescheduled': null,
          // @ts-expect-error only who asks for a transaction gets one
          'booking.canceled': (_, { trx }) => trx,
          'booking.conflict': null,
        },
      },
      plainer: {
        // @ts-expect-error only who asks for a transaction gets one
        'booking.canceled': (_, { trx }) => trx,
      },
      whole: {
        takes: ['*'],
        // @ts-expect-error only who asks for a transaction gets one
        tell: (_, { trx }) => trx,
      },
    },
    on: {
      // @ts-expect-error only who asks for a transaction gets one
      'booking.canceled': (_, { trx }) => trx,
    },
  })

// Whatever a store calls a transaction.
declare const another: Store<{ commands: string[] }>
createInbox({
  providers,
  store: another,
  subscribers: {
    ledger: {
      transactional: true,
      on: { 'booking.canceled': ({ booking }, { trx }) => trx.commands.push(booking.id) },
    },
  },
})
