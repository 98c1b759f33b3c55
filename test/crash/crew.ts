import { type Member, type MemberOptions, startMember, until } from './members.js'

/** Processes that come again when they die. */
export interface Crew {
  /** Resolves once all of them are at work. */
  started(): Promise<void>
  /** The ports of those that receive. */
  ports(): Promise<number>[]
  killEvery(everyMs: number, random: () => number): Killing
  /** When each was killed, by process. */
  killedAt: ReadonlyMap<number, number>
  stop(): Promise<void>
}

interface Killing {
  /** Resolves once so many were killed. */
  times(least: number, withinMs: number): Promise<void>
  stop(): void
}

type Role = 'receive' | 'work'

/** Two that receive, four that work; whoever dies is started again. */
export function makeCrew(options: Omit<MemberOptions, 'receives' | 'works'>): Crew {
  const roles: Role[] = ['receive', 'receive', 'work', 'work', 'work', 'work']
  const atWork = new Set<Member>()
  const killedAt = new Map<number, number>()
  let isOver = false
  const start = (role: Role): Member => {
    const member = startMember({ ...options, receives: role === 'receive', works: role === 'work' })
    void member.ready.then(
      () => atWork.add(member),
      () => {},
    )
    return member
  }
  const members = roles.map(start)
  const again = (index: number): void => {
    const member = members[index]!
    void member.gone.then(() => {
      atWork.delete(member)
      if (isOver) return
      members[index] = start(roles[index]!)
      again(index)
    })
  }
  for (const index of roles.keys()) again(index)
  return {
    killedAt,
    async started() {
      await Promise.all(members.map(member => member.ready))
    },
    ports: () => members.filter((_, index) => roles[index] === 'receive').map(({ port }) => port),
    killEvery(everyMs, random) {
      const timer = setInterval(() => {
        // A process may take longer to start than this: where several of them only start, nothing would be done at all.
        if (atWork.size < roles.length - 1) return
        const victim = [...atWork][Math.floor(random() * atWork.size)]!
        atWork.delete(victim)
        killedAt.set(victim.pid, Date.now())
        victim.kill()
      }, everyMs)
      return {
        times: (least, withinMs) => until(() => killedAt.size >= least, withinMs),
        stop: () => clearInterval(timer),
      }
    },
    async stop() {
      isOver = true
      await Promise.all(members.map(member => member.stop()))
    },
  }
}
