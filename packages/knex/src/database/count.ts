/** How many rows a query finds. */
export async function count(query: { count(column: string): PromiseLike<unknown> }): Promise<number> {
  const [row] = (await query.count('* as counted')) as { counted: unknown }[]
  return Number(row?.counted ?? 0)
}
