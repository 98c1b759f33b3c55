/** Lanes as the store keeps them: told one after another, and one lane may have to wait until another is idle. */
export interface TellLanes<Event> {
  add(lane: string, event: Event): void
  /** `older` is not to be told before `younger` is idle. */
  join(older: string, younger: string): void
  /** Lanes that have something to tell and wait for no other. */
  runnable(): string[]
  /** The lane's next, left where it is. */
  peek(lane: string): Event
  /** The lane's next is told. */
  done(lane: string): void
  isEmpty(): boolean
  /** Joins that were left out because the lanes would have waited for each other. */
  circles: number
}

export function tellLanes<Event>(): TellLanes<Event> {
  const queues = new Map<string, Event[]>()
  const after = new Map<string, string>()
  const queueOf = (lane: string): Event[] => {
    const queue = queues.get(lane) ?? []
    queues.set(lane, queue)
    return queue
  }
  const isIdle = (lane: string): boolean => {
    const before = after.get(lane)
    if (before !== undefined && isIdle(before)) after.delete(lane)
    return queueOf(lane).length === 0 && !after.has(lane)
  }
  const lanes: TellLanes<Event> = {
    circles: 0,
    add: (lane, event) => queueOf(lane).push(event),
    join(older, younger) {
      // Whoever was waited for and is done lets go: that is no part of a circle.
      for (const [lane, before] of after) if (isIdle(before)) after.delete(lane)
      if (isIdle(younger)) return
      const waitsFor = after.get(older)
      let end = younger
      for (const seen = new Set([older, younger]); after.has(end); seen.add(end)) {
        end = after.get(end)!
        if (seen.has(end)) {
          lanes.circles++
          return
        }
      }
      // A lane that waits already goes to the end of the chain that it is to wait for.
      if (waitsFor !== undefined && waitsFor !== end && waitsFor !== younger) after.set(end, waitsFor)
      after.set(older, younger)
    },
    runnable: () =>
      [...queues.keys()].filter(lane => {
        const before = after.get(lane)
        return queueOf(lane).length > 0 && (before === undefined || isIdle(before))
      }),
    peek: lane => queueOf(lane)[0]!,
    done: lane => void queueOf(lane).shift(),
    isEmpty: () => [...queues.values()].every(queue => queue.length === 0),
  }
  return lanes
}
