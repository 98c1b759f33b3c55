import type { Note } from './members.js'

/** Of each event the run that counts, in the order in which they ended: others died, or came too late. */
export function lastRuns(notes: Note[]): Note[] {
  const attempts = new Map<string, number>()
  for (const { event, attempt } of notes) attempts.set(event, Math.max(attempt, attempts.get(event) ?? 0))
  return notes.filter(({ what, event, attempt }) => what === 'done' && attempt === attempts.get(event))
}
