import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
const beside = path.join(root, '../shared/data')

/**
 * The folder of real inputs: projects (`manifests/<ecosystem>/<project>/`), advisories (`osv/<ecosystem>/all.zip`) and
 * lines of versions (`versions/`). `npm run corpus` makes one of public packages.
 */
export const corpusFolder = process.env['CORPUS'] ?? (existsSync(beside) ? beside : path.join(root, '.corpus'))

/** Returns what a comparison needs if that part of the corpus is missing or empty. */
export function corpusLacks(part: string): string | undefined {
  const folder = path.join(corpusFolder, part)
  const isThere = existsSync(folder) && readdirSync(folder).length > 0
  return isThere ? undefined : `needs ${part} of a corpus (verification/README.md)`
}
