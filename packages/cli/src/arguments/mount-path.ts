import { InvalidArgumentError } from 'commander'

/** A path to mount at, without a slash at its end: `''` for `/`. */
export function mountPath(text: string): string {
  if (!/^\/[\w\-./~%]*$/.test(text))
    throw new InvalidArgumentError('Write a path that begins with /, such as /webhooks.')
  return text.replace(/\/+$/, '')
}
