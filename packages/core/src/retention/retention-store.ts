/** Whose data is erased: a booking's and its thread's, or everything that names an e-mail address. */
export type ErasureSubject = { booking: string; provider?: string; account?: string } | { email: string }

/** What an erasure came to. */
export interface Erasure {
  /** Bookings whose attendee, guests and other details are gone. */
  bookings: number
  /** Events that hold nothing of a guest any more. */
  events: number
  /** Events that are still to be decided, wait for a slot, or are still to be told: the sweep erases them as soon as they are not. */
  waiting: number
}

/** What retention and erasure need of a store. */
export interface RetentionStore {
  /**
   * Blanks what is older than `keptMs` and over: bodies, headers, snapshots, told events, details, step results; removes slots that began
   * longer ago. A bounded part of it; true where there is nothing more to do for now.
   */
  expire(keptMs: number): Promise<{ blanked: number; isOver: boolean }>
  /** Erases guests' data now, or as soon as nothing of it is pending; `dropPending` takes pending tells back. */
  erase(subject: ErasureSubject, options: { dropPending: boolean }): Promise<Erasure>
  /** Erases what waited to be erased and is pending no more; how many events. */
  finishErasures(): Promise<number>
}
