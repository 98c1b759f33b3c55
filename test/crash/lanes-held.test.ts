import { expect } from 'chai'
import { expectOneHolder } from './lanes-held.js'
import type { LaneNote } from './watched-store.js'

const note = (pid: number, what: LaneNote['what'], at: number): LaneNote => ({
  what,
  lane: 'tell:a',
  fence: pid,
  pid,
  asked: at,
  at,
})
const hold = (...notes: LaneNote[]) => expectOneHolder(notes, 1_000, new Map([[7, 300]]))

describe('what the soak sees of lanes', () => {
  it('is nothing where one has the lane after the other, let go or killed', () => {
    const first = [note(1, 'claimed', 0), note(1, 'wrote', 10), note(1, 'lets go', 20), note(1, 'wrote', 20)]
    expect(hold(...first, note(2, 'claimed', 30))).to.deep.equal({ late: 0, takenOver: 0 })
    expect(hold(note(7, 'claimed', 0), note(8, 'claimed', 400))).to.deep.equal({ late: 0, takenOver: 0 })
  })

  it('is a lane taken over from one that hung, whose writes came too late', () => {
    const notes = [note(1, 'claimed', 0), note(1, 'renewed', 300), note(2, 'claimed', 1_300)]
    expect(hold(...notes, note(1, 'came too late', 1_400))).to.deep.equal({ late: 1, takenOver: 1 })
  })

  it('is an error where a lane is claimed before the lease runs out', () => {
    const early = [note(1, 'claimed', 0), note(1, 'renewed', 300), note(2, 'claimed', 1_299)]
    expect(() => hold(...early)).to.throw('before the lease of 1 ran out')
  })

  it('is an error where a write goes through after somebody else’s claim', () => {
    const zombie = [note(1, 'claimed', 0), note(2, 'claimed', 1_000), note(1, 'wrote', 1_001)]
    expect(() => hold(...zombie)).to.throw('1 wrote in tell:a after 2 had claimed it')
  })
})
