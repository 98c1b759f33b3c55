/** Keys in another form, and how that reads in a sentence. */
export type Keys = [keys: string[], how: string]

/** A key that was decoded or encoded once too often. */
export function* recodedKeys(keys: readonly string[]): Generator<Keys> {
  yield [keys.map(key => Buffer.from(key, 'base64').toString()), 'once it is decoded from base64']
  yield [keys.map(key => Buffer.from(key, 'hex').toString()), 'once it is decoded from hex']
  yield [keys.map(key => Buffer.from(key).toString('base64')), 'once it is encoded in base64']
  yield [keys.map(key => Buffer.from(key).toString('hex')), 'once it is encoded in hex']
}
