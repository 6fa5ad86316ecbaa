import { isTable, parseToml } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { accessor, type CatalogSource } from './catalog.ts'
import { type Locked, readLockfile } from './lockfile.ts'

export const CANDIDATES_NOTE =
  'A version catalog lists candidates: every library of it was resolved as if the build used it. Plugins were not'

/**
 * Writes a build script with every library of a catalog as a dependency, each on the line of its alias, so that a
 * catalog without its build is resolved like declared dependencies.
 */
export function toScript({ file, text }: CatalogSource): string {
  const { libraries } = parseToml(text, file)
  const aliases = isTable(libraries) ? Object.keys(libraries) : []
  const lines = text
    .split('\n')
    .map((line) => /^\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*[=.]/.exec(line)?.slice(1).find(Boolean))
  const written = lines.map(() => [] as string[])
  let start = text.split('\n').findIndex((line) => /^\s*\[libraries\b/.test(line))
  if (start < 0) start = 0
  for (const alias of aliases) {
    const index = lines.indexOf(alias, start)
    written[index < 0 ? start : index]!.push(`implementation(libs.${accessor(alias).join('.')})`)
  }
  return `dependencies { ${written.map((line) => line.join('; ')).join('\n')}\n}\n`
}

/**
 * Reads a lock without a build script. Every line is a module or reported. If all modules are for tests and tools, they
 * count as the product.
 */
export function readLoneLock(source: CatalogSource): Locked[] {
  const { file, text } = source
  const locked = readLockfile(source)
  if (locked.length === 0 && !/^empty=/m.test(text)) throw new Unreadable('The lockfile lists no modules', { file })
  const isProduct = locked.some(({ isDev }) => !isDev)
  return isProduct ? locked : locked.map((locked) => ({ ...locked, isDev: false }))
}
