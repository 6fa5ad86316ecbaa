import { readPackageUrl } from '../../registries/package-url.ts'
import { createLines, type Declaration } from '../declaration.ts'
import type { Manifest } from '../ecosystem.ts'

/** Precedes the package URL of an entry, in contrast to that of a reference to one. */
const OF_ENTRY =
  /(?:"purl"\s*:\s*"|<(?:\w+:)?purl>\s*|"referenceLocator"\s*:\s*"|"software_packageUrl"\s*:\s*"|\bpurl\s+)$/

/** Finds the package URLs of a bill's entries. */
export function locateEntries({ target }: Manifest): Declaration[] {
  const lineOf = createLines(target)
  return [...target.matchAll(/pkg:[^\s"<>]+/g)].flatMap(({ 0: url, index }): Declaration[] => {
    if (!OF_ENTRY.test(target.slice(Math.max(0, index - 80), index))) return []
    const parsed = readPackageUrl(url.replaceAll('&amp;', '&'))
    if ('code' in parsed) return []
    const { name, version } = parsed.package
    return [{ name, version, file: 'target', line: lineOf(index) }]
  })
}
