import { expect } from 'chai'
import type { LaneNote } from './watched-store.js'

/** A lane in one process's hands. */
interface Hold {
  pid: number
  fence: number
  /** When the claim had been answered. */
  from: number
  /** The last moment at which the process surely had it in hands: it let go, or was killed. */
  until: number
  /** Its lease ran at least until here. */
  leasedUntil: number
}

/**
 * What the notes of all processes must show: a lane is in two pairs of hands only after the first one's lease ran out, and from the later claim
 * on nothing that the first one writes goes through. `killedAt` has the time of each `kill -9` by process.
 * Returns how many writes came too late, and how many lanes changed hands while the first holder lived.
 */
export function expectOneHolder(
  notes: LaneNote[],
  leaseMs: number,
  killedAt: ReadonlyMap<number, number>,
): { late: number; takenOver: number } {
  const lanes = new Map<string, LaneNote[]>()
  for (const note of notes) {
    const ofLane = lanes.get(note.lane)
    if (ofLane) ofLane.push(note)
    else lanes.set(note.lane, [note])
  }
  let late = 0
  let takenOver = 0
  for (const [lane, ofLane] of lanes) {
    late += ofLane.filter(({ what }) => what === 'came too late').length
    const holds = holdsOf(ofLane, leaseMs, killedAt)
    for (const [index, hold] of holds.entries()) {
      const next = holds[index + 1]
      if (!next) continue
      if (next.from < hold.until) {
        takenOver += 1
        expect(
          next.from,
          `${lane} was claimed by ${next.pid} before the lease of ${hold.pid} ran out`,
        ).to.be.at.least(hold.leasedUntil)
      }
      for (const { what, fence, asked } of ofLane)
        if (fence === hold.fence && (what === 'wrote' || what === 'renewed'))
          expect(asked, `${hold.pid} wrote in ${lane} after ${next.pid} had claimed it`).to.be.at.most(
            next.from,
          )
    }
  }
  return { late, takenOver }
}

/** In the order of their fences. */
function holdsOf(notes: LaneNote[], leaseMs: number, killedAt: ReadonlyMap<number, number>): Hold[] {
  const holds = new Map<number, Hold>()
  for (const { what, fence, pid, asked, at } of notes)
    if (what === 'claimed') {
      expect(holds.has(fence), 'a fence was given out twice').to.equal(false)
      holds.set(fence, {
        pid,
        fence,
        from: at,
        until: killedAt.get(pid) ?? Infinity,
        leasedUntil: asked + leaseMs,
      })
    } else {
      const hold = holds.get(fence)
      if (!hold) continue
      if (what === 'renewed') hold.leasedUntil = asked + leaseMs
      if (what === 'lets go') hold.until = Math.min(hold.until, at)
    }
  return [...holds.values()].sort((a, b) => a.fence - b.fence)
}
