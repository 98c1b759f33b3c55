/** Accounts whose last fetch was refused: one asks at a time, until one gets through. */
export interface Suspects {
  /** Null where another one asks for this account, which is suspect. */
  take(account: string): Leave | null
}

/** Leave to ask for an account. */
export interface Leave {
  /** Whether the account has become suspect since, by the refusal of another one. */
  isOver(): boolean
  /** The account's API does what it is asked: whoever wants to may ask. */
  gotThrough(): void
  /** It refused. The next one may ask when this leave ends, which is when the account's pause is stored: before, it would ask at once. */
  refused(): void
  end(): void
}

export function suspects(): Suspects {
  /** By account, the leave of the one that asks; null where nobody does. */
  const asking = new Map<string, Leave | null>()

  return {
    take(account) {
      if (asking.get(account)) return null
      const isAlone = asking.has(account)
      const leave: Leave = {
        isOver: () => asking.has(account) && asking.get(account) !== leave,
        gotThrough: () => void asking.delete(account),
        refused() {
          if (!asking.get(account)) asking.set(account, leave)
        },
        end() {
          if (asking.get(account) === leave) asking.set(account, null)
        },
      }
      if (isAlone) asking.set(account, leave)
      return leave
    },
  }
}
