/** An instant without its fraction: `2027-03-01 09:00:00Z`. */
export function briefInstant(instant: string | null): string | null {
  return instant === null ? null : `${instant.slice(0, 19).replace('T', ' ')}Z`
}

/** The end of an id that is a URL; the ids of providers differ in their last parts. */
export function briefId(id: string | null): string | null {
  return id?.startsWith('https://') ? `…/${id.split('/').slice(-1)}` : id
}
