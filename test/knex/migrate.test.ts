import { isBookingWebhooksError } from '@booking-webhooks/core'
import { knexStore, migrateDatabase, migrationSource, schemaOf } from '@booking-webhooks/knex'
import { expect } from 'chai'
import { backDoor, eachDatabase, type TestDatabase } from './support/databases.js'

eachDatabase((name, make) => {
  describe(`the schema on ${name}`, function () {
    this.timeout(60_000)
    let database: TestDatabase
    beforeEach(async () => {
      database = await make()
    })
    afterEach(() => database.drop())

    const codeOf = (opening: Promise<unknown>): Promise<string> =>
      opening.then(
        () => 'opened',
        error => (isBookingWebhooksError(error) ? error.code : String(error)),
      )

    /** Opens a store, closes it, and hands back its installation's secret. */
    const open = async (migrate = true): Promise<string> => {
      const store = knexStore(database.url, { migrate })
      try {
        return (await store.open()).secret
      } finally {
        await store.close()
      }
    }

    it('is made once when twenty start at once', async () => {
      const secrets = await Promise.all(Array.from({ length: 20 }, () => open()))
      expect(new Set(secrets).size).to.equal(1)
      expect(await open(false)).to.equal(secrets[0])
    })

    it('is refused where it may not be made or is newer than the package', async () => {
      expect(await codeOf(open(false))).to.equal('SCHEMA_OUTDATED')
      expect(await schemaOf(database.url)).to.deep.include({ version: 0, isCurrent: false })
      await open()
      const back = backDoor(database.url)
      await back('booking_webhooks_installation').update({ schema_version: 1000 })
      await back.destroy()
      expect(await codeOf(open(false))).to.equal('SCHEMA_TOO_NEW')
      expect(await codeOf(open())).to.equal('SCHEMA_TOO_NEW')
    })

    it('can be made ahead, by a command', async () => {
      const { needed } = await schemaOf(database.url)
      expect(await migrateDatabase(database.url)).to.deep.equal({ from: 0, to: needed })
      expect(await migrateDatabase(database.url)).to.deep.equal({ from: needed, to: needed })
      expect(await schemaOf(database.url)).to.deep.equal({ version: needed, needed, isCurrent: true })
      await open(false)
    })

    it('can be made by one’s own Knex, before or after the store', async () => {
      const back = backDoor(database.url)
      const source = { migrationSource: migrationSource() }
      expect((await back.migrate.latest(source))[1]).to.deep.equal(['booking-webhooks-001-ledger'])
      const secret = await open(false)
      await back('knex_migrations').delete()
      await back.migrate.latest(source)
      expect(await open()).to.equal(secret)
      await back.destroy()
    })

    it('has migrations of its own for each prefix', async () => {
      const back = backDoor(database.url)
      for (const [prefix, name] of [
        ['booking_webhooks_', 'booking-webhooks-001-ledger'],
        ['second_', 'booking-webhooks-second_-001-ledger'],
      ] as const) {
        const config = { migrationSource: migrationSource({ prefix }), disableMigrationsListValidation: true }
        expect((await back.migrate.latest(config))[1]).to.deep.equal([name])
        expect(await schemaOf(database.url, { prefix })).to.include({ isCurrent: true })
      }
      await back.destroy()
    })

    it('stands beside another one under its own prefix', async () => {
      const first = knexStore(database.url, { prefix: 'first_' })
      const second = knexStore(database.url, { prefix: 'second_' })
      const [{ secret }, other] = await Promise.all([first.open(), second.open()])
      expect(secret).to.not.equal(other.secret)
      await Promise.all([first.close(), second.close()])
    })

    it('replaces what a process that died in the middle left behind', async () => {
      await open()
      const back = backDoor(database.url)
      await back('booking_webhooks_installation').update({ schema_version: 0 })
      await back.schema.dropTable('booking_webhooks_tells')
      await open()
      expect(await back.schema.hasTable('booking_webhooks_tells')).to.equal(true)
      await back('booking_webhooks_installation').update({ schema_version: 0 })
      await back('booking_webhooks_streaks').insert({ subject: 'x', consecutive_failures: 1, streak: 1 })
      expect(await codeOf(open())).to.equal('INVALID_OPTION')
      await back.destroy()
    })

    it('is not made through a Knex instance that renames columns', async () => {
      const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
      const renamed = (result: unknown): unknown =>
        Array.isArray(result)
          ? result.map(row =>
              Object.fromEntries(Object.entries(row).map(([key, value]) => [camel(key), value])),
            )
          : result
      for (const renaming of [
        { postProcessResponse: renamed },
        { wrapIdentifier: (name: string, wrap: (name: string) => string) => wrap(camel(name)) },
      ]) {
        const own = backDoor(database.url, { ...renaming, log: { warn() {}, error() {} } })
        for (const open of [
          () => knexStore(own).open(),
          () => migrateDatabase(own),
          () => schemaOf(own),
          () => own.migrate.latest({ migrationSource: migrationSource() }),
        ])
          expect(await codeOf(open())).to.equal('INVALID_OPTION')
        expect(await own.schema.hasTable('booking_webhooks_installation')).to.equal(false)
        await own.destroy()
      }
    })
  })
})
