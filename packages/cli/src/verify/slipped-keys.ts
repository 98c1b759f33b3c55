import type { Keys } from './recoded-keys.js'

/** A key that is right but for a slip of whoever pasted it. */
export function* slippedKeys(keys: readonly string[]): Generator<Keys> {
  yield [keys.map(key => key.trim()), 'without the blanks around it: remove them']
  yield [keys.map(key => key.replace(/^(["'`])(.*)\1$/, '$2')), 'without the quotes around it: remove them']
  yield [keys.map(key => key.replace(/^\w+=/, '')), 'without the name and "=" in front of it: remove them']
  yield [
    keys.map(key => `${key}\n`),
    'with a line break at its end, as the provider was given it: make the webhook anew with the key alone',
  ]
  yield [keys.map(key => key.toLowerCase()), 'in lower case']
}
