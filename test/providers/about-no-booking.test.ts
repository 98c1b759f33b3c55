import { expect } from 'chai'
import { type Deed, type Provider, providers, type Stage, stage } from './stage.js'

const types: Record<Provider, `provider.${string}`> = {
  calendly: 'provider.routing_form_submission.created',
  calcom: 'provider.OOO_CREATED',
  acuity: 'provider.order.completed',
}
const elsewhere: Deed = (driver, at) => driver.elsewhere(at)

for (const provider of providers)
  describe(`${provider}: an event about no booking`, () => {
    let scene: Stage
    afterEach(() => scene.close())
    const row = async () => {
      const [{ type, bookingId, outcome }] = await scene.events()
      return { type, bookingId, outcome }
    }

    it('is told to a subscriber that takes it', async () => {
      scene = await stage({
        on: { [types[provider]]: ({ type }: { type: string }) => void heard.push(type) },
      })
      const heard: string[] = []
      await scene.happen(provider, elsewhere)
      expect(await row()).to.deep.equal({ type: types[provider], bookingId: null, outcome: 'accepted' })
      expect(heard).to.deep.equal([types[provider]])
    })

    it('is seen as ignored where no subscriber takes it', async () => {
      scene = await stage({ on: { 'booking.canceled': () => {} } })
      await scene.happen(provider, elsewhere)
      expect(await row()).to.deep.equal({ type: types[provider], bookingId: null, outcome: 'ignored' })
    })
  })
