import { expect } from 'chai'
import { person, type Stage, stage } from './stage.js'

const [ann, bob] = [person('Ann'), person('Bob')]

/** One host, as each provider knows her. */
const grace = new Map([
  ['calendly https://api.calendly.com/users/US1', 'grace'],
  ['calcom user:11', 'grace'],
  ['acuity 40001', 'grace'],
])
const resources = ({ provider, resources: ids }: { provider: string; resources: string[] }) =>
  ids.map(id => grace.get(`${provider} ${id}`) ?? `${provider} ${id}`)

describe('one host with calendars at two providers', () => {
  let scene: Stage
  afterEach(() => scene.close())

  for (const [one, other] of [
    ['calendly', 'acuity'],
    ['acuity', 'calendly'],
    ['calendly', 'calcom'],
    ['calcom', 'calendly'],
  ] as const)
    it(`is not booked twice at one time: who comes second, at ${other}, waits for ${one}`, async () => {
      scene = await stage({ resources })
      await scene.happen(one, ann.books(9))
      await scene.happen(other, bob.books(9))
      expect(scene.heard()).to.deep.equal(['created Ann 9', 'conflict Bob 9'])
      expect(scene.told[1].conflict?.with).to.have.length(1)

      await scene.happen(one, ann.cancels())
      expect(scene.heard().at(-1)).to.equal('created Bob 9')
      expect((await scene.events())[1]).to.include({ provider: other, outcome: 'accepted' })
    })

  for (const [title, options] of [
    ['nobody says that they are hers', {}],
    ['her names are [], for she takes several at once', { resources: () => [] }],
    ['slots are off', { resources, slots: false }],
  ] as const)
    it(`is booked twice where ${title}`, async () => {
      scene = await stage(options)
      await scene.happen('calendly', ann.books(9))
      await scene.happen('acuity', bob.books(9))
      expect(scene.heard()).to.deep.equal(['created Ann 9', 'created Bob 9'])
    })

  it('is booked twice at one provider too where her names are []', async () => {
    scene = await stage({ resources: () => [] })
    await scene.happen('calendly', ann.books(9), bob.books(9))
    expect(scene.heard()).to.deep.equal(['created Ann 9', 'created Bob 9'])
  })
})
