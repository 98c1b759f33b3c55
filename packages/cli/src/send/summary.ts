import type { Delivered } from './deliver.js'

/** All deliveries in one line: `3 deliveries: 2 × 200, 1 × 401; half of them within 4 ms, all within 20 ms.` */
export function summary(results: readonly Delivered[]): string {
  const counts = new Map<string, number>()
  for (const { status, error } of results) {
    const answer = String(status ?? error)
    counts.set(answer, (counts.get(answer) ?? 0) + 1)
  }
  const answers = [...counts].map(([answer, count]) => `${count} × ${answer}`).join(', ')
  const ms = results.map(result => result.ms).sort((a, b) => a - b)
  const half = ms[Math.ceil(ms.length / 2) - 1]
  return `${results.length} ${results.length === 1 ? 'delivery' : 'deliveries'}: ${answers}; half within ${half} ms, all within ${ms.at(-1)} ms.`
}
