/** A tell that is to be written: one event for one subscriber, in the lane of the two. */
export interface NewTell {
  eventId: string
  subscriber: string
  lane: string
}
