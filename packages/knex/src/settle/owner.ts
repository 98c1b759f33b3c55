/** Whose bookings, meetings and subjects. */
export interface Owner {
  provider: string
  account: string
}

/** What is asked, by whose it is, in one order for everybody. */
export function byOwner<Item>(
  items: readonly Item[],
  ownerOf: (item: Item) => Owner,
): { owner: Owner; of: Item[] }[] {
  const groups = new Map<string, { owner: Owner; of: Item[] }>()
  for (const item of items) {
    const owner = ownerOf(item)
    const key = ownerKey(owner)
    const group = groups.get(key)
    if (group) group.of.push(item)
    else groups.set(key, { owner, of: [item] })
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

/** Sorts as provider and account do. */
export function ownerKey({ provider, account }: Owner): string {
  return `${provider}\u0000${account}`
}
