import type { Rows } from './booking-rows.js'
import type { Decision, HeldSlot, Holder, Known, Slot, StoredBooking } from './decision.js'
import { distinctSlots, holderOf, isSameHolder, slotKey, slotsWanted } from './slot.js'

/** Who holds which slot after a change, and what has to be written for it. */
export interface Assignment extends Pick<Decision, 'free' | 'take' | 'wake'> {
  /** Bookings that wait from now on. */
  blocked: Set<string>
  /** Meetings other than the booking's own that hold slots which it wants, or held them until now. */
  rivals(booking: StoredBooking): string[]
}

export interface AssignOptions {
  /** False: bookings neither take slots nor wait for them. */
  slots: boolean
  /** Bookings that waited and try again. */
  retried?: ReadonlySet<string>
}

/**
 * Frees what bookings no longer want and takes what they want now, those named in `first` before the others. A booking gets
 * all its slots or none; one that gets none waits, and has given up what it held before. Sets `waits` in the rows.
 */
export function assignSlots(
  known: Pick<Known, 'provider' | 'account' | 'bookings' | 'slots' | 'neighbours'>,
  rows: Rows,
  first: readonly string[],
  { slots: areGuarded, retried = new Set() }: AssignOptions,
): Assignment {
  const stored = new Map(known.bookings.map(row => [row.id, row]))
  const holders = new Map<string, HeldSlot>(known.slots.map(slot => [slotKey(slot), slot]))
  const before = new Map(holders)
  const wants = (row: StoredBooking) => (areGuarded ? slotsWanted(row) : [])
  const owner = (row: StoredBooking) => holderOf(known, row)

  const moving: StoredBooking[] = []
  const standing: StoredBooking[] = [...known.neighbours]
  for (const row of rows.values()) {
    const old = stored.get(row.id)
    if (old && isUnmoved(old, row, known) && !retried.has(row.id)) standing.push(row)
    else moving.push(row)
  }

  for (const row of moving) {
    const old = stored.get(row.id)
    row.waits = false
    if (!old || old.waits) continue
    for (const slot of slotsWanted(old)) {
      const holder = holders.get(slotKey(slot))
      if (holder && isSameHolder(holder, owner(old)) && !isShared(slot, holder, standing, known))
        holders.delete(slotKey(slot))
    }
  }

  const blocked = new Set<string>()
  const isFree = (slot: Slot, row: StoredBooking): boolean => {
    const holder = holders.get(slotKey(slot))
    return !holder || isSameHolder(holder, owner(row))
  }
  for (const row of inOrder(moving, first)) {
    const wanted = wants(row)
    if (wanted.every(slot => isFree(slot, row))) {
      for (const slot of wanted) holders.set(slotKey(slot), { ...slot, ...owner(row) })
    } else {
      row.waits = true
      blocked.add(row.id)
    }
  }

  const free = [...before.values()].filter(slot => !isStill(slot, holders))
  const take = [...holders.values()].filter(slot => !isStill(slot, before))
  const waitingMates = (slot: Holder) =>
    [...rows.values(), ...known.neighbours].some(row => row.waits && isSameHolder(owner(row), slot))
  return {
    free: distinctSlots(free),
    take: take.sort((a, b) => (slotKey(a) < slotKey(b) ? -1 : 1)),
    wake: distinctSlots([...free, ...take.filter(waitingMates)]),
    blocked,
    rivals(row) {
      const others = (held: ReadonlyMap<string, HeldSlot>) =>
        wants(row)
          .flatMap(slot => held.get(slotKey(slot)) ?? [])
          .filter(holder => !isSameHolder(holder, owner(row)))
          .map(({ meetingId }) => meetingId)
      const now = others(holders)
      return [...new Set(now.length > 0 ? now : others(before))].sort()
    },
  }
}

/** Wants the same slots for the same meeting as its row holds or waits for. */
function isUnmoved(
  old: StoredBooking,
  row: StoredBooking,
  known: Pick<Known, 'provider' | 'account'>,
): boolean {
  const text = (one: StoredBooking) => slotsWanted(one).map(slotKey).join(' ')
  if (old.status !== 'confirmed') return row.status !== 'confirmed'
  return (
    row.status === 'confirmed' &&
    text(old) === text(row) &&
    isSameHolder(holderOf(known, old), holderOf(known, row))
  )
}

function isShared(
  slot: Slot,
  holder: Holder,
  standing: readonly StoredBooking[],
  known: Pick<Known, 'provider' | 'account'>,
): boolean {
  return standing.some(
    row =>
      !row.waits &&
      isSameHolder(holderOf(known, row), holder) &&
      slotsWanted(row).some(other => slotKey(other) === slotKey(slot)),
  )
}

function isStill(slot: HeldSlot, holders: ReadonlyMap<string, HeldSlot>): boolean {
  const holder = holders.get(slotKey(slot))
  return holder !== undefined && isSameHolder(holder, slot)
}

function inOrder(moving: readonly StoredBooking[], first: readonly string[]): StoredBooking[] {
  const place = ({ id }: StoredBooking) => (first.includes(id) ? first.indexOf(id) : first.length)
  return [...moving].sort((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1))
}
