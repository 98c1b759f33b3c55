import type { Page, Paged } from '@booking-webhooks/core'

/** Enough for few round trips, little enough that a page is read at once. */
const pageSize = 500

/** Rows page by page, as many as `limit`. */
export async function* rowsOf<Row>(
  read: (page: Page) => Promise<Paged<Row>>,
  limit: number,
): AsyncGenerator<Row> {
  let left = limit
  let cursor: string | null = null
  while (left > 0) {
    const page: Paged<Row> = await read({ limit: Math.min(left, pageSize), cursor })
    yield* page.rows
    left -= page.rows.length
    cursor = page.cursor
    if (cursor === null) return
  }
}
