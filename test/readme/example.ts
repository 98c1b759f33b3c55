import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const root = join(import.meta.dirname, '../../..')

/** The blocks of code in a README, by its path from the root, in one language. */
export function blocksOf(readme: string, language: 'js' | 'sh'): string[] {
  const text = readFileSync(join(root, readme), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, named]) => named === language)
    .map(([, , code = '']) => code)
}

/** A README's example as a file of its own inside of the repository, so that its imports are found as a user's are. */
export function writeExample(readme: string, change = (code: string) => code) {
  const directory = mkdtempSync(join(import.meta.dirname, 'example-'))
  const file = join(directory, 'example.mjs')
  const [code] = blocksOf(readme, 'js')
  if (code === undefined) throw new Error(`${readme} has no example.`)
  writeFileSync(file, change(code))
  return { directory, file, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** Runs a README's example with these variables in its environment; returns what it exports. */
export async function exampleOf(
  readme: string,
  environment: Record<string, string> = {},
  change?: (code: string) => string,
) {
  const { file, remove } = writeExample(readme, change)
  const { env } = process
  process.env = { ...env, ...environment }
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    process.env = env
    remove()
  }
}
