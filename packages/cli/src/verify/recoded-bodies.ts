import type { Changed } from './changed-bodies.js'

/** The usual ways in which a body becomes other bytes because it was handled as text, undone one by one. */
export function* recodedBodies(body: Uint8Array): Generator<Changed> {
  const bytes = Buffer.from(body)
  const text = bytes.toString()
  yield [Buffer.from(bytes.toString('latin1')), 'as UTF-8; it came here as Latin-1']
  yield [Buffer.from(text, 'latin1'), 'as Latin-1; it came here as UTF-8, perhaps encoded twice']
  yield [Buffer.from(bytes.toString('utf16le')), 'as UTF-8; it came here as UTF-16']
  yield [Buffer.from(text.replace(/^\ufeff/, '')), 'without the byte order mark']
  yield [Buffer.from(`\ufeff${text}`), 'with a byte order mark']
  yield [Buffer.from(text.normalize('NFC')), 'with accents as one letter (NFC)']
  yield [Buffer.from(text.normalize('NFD')), 'with accents as letters of their own (NFD)']
  if (/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text)) yield [Buffer.from(text, 'base64'), 'decoded from base64']
}
