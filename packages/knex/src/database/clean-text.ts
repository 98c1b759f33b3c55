/**
 * A sentence or name for a text column: without U+0000, which PostgreSQL refuses, and of at most `length` characters,
 * which MySQL and PostgreSQL insist on. Never for an id: two that were cut alike would become one.
 */
export function cleanText(text: string, length = 2000): string {
  const clean = text.replaceAll('\u0000', '\uFFFD')
  if (clean.length <= length) return clean
  // Not through the middle of a character of two units.
  return clean.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}
