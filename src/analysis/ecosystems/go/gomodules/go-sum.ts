import { linesOf } from '#analysis/documents/text-lines.ts'
import { goVersions } from '#analysis/versions/go.ts'

/**
 * Versions by module path whose contents a go.sum authenticates: every module that the build reads packages from, and
 * possibly older ones. Lines of go.mod files alone do not count (https://go.dev/ref/mod#go-sum-files).
 */
export type ContentSums = ReadonlyMap<string, readonly string[]>

export function parseGoSums(
  texts: readonly { readonly text: string; readonly file: 'target' | number }[],
): ContentSums {
  const sums = new Map<string, string[]>()
  for (const { text, file } of texts) {
    for (const line of linesOf(text, file)) {
      const [path, version, hash, ...more] = line.trim().split(/\s+/, 4)
      if (path === undefined || version === undefined || hash === undefined || more.length > 0) continue
      if (version.endsWith('/go.mod') || !goVersions.isValid(version)) continue
      const versions = sums.get(path)
      if (versions === undefined) sums.set(path, [version])
      else if (!versions.includes(version)) versions.push(version)
    }
  }
  return sums
}
