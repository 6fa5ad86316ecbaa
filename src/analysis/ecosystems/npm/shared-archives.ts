import type { Package, Unresolved } from '../../dependency-graph.ts'
import { isSameVersion } from './archive-address.ts'
import { shorten } from './json-document.ts'

/** An entry of a lockfile with the digest of its archive (Subresource Integrity). */
export interface LockedArchive {
  readonly package: Package
  readonly integrity: string
}

const strengths = ['sha512', 'sha384', 'sha256', 'sha1']

/**
 * Names the packages of a lockfile that share an archive with another one: each archive is one package at one version,
 * so at least one of the entries is false, and a client that has the archive in its cache installs it for both.
 */
export function nameSharedArchives(archives: Iterable<LockedArchive>, lockfile: string): Unresolved[] {
  const byDigest = new Map<string, Package>()
  const unresolved = new Map<string, Unresolved>()
  for (const { package: own, integrity } of archives) {
    for (const digest of strongestDigests(integrity)) {
      const other = byDigest.get(digest) ?? own
      byDigest.set(digest, other)
      if (other.name === own.name && isSameVersion(other.version, own.version)) continue
      for (const each of [other, own]) unresolved.set(labelOf(each), toUnresolved(each, { other, own, lockfile }))
    }
  }
  return [...unresolved.values()]
}

/** Only the strongest algorithm counts; several digests of it are alternatives. */
export function strongestDigests(integrity: string): string[] {
  const tokens = integrity.trim().split(/\s+/, 20)
  const digests = tokens.map((token) => token.split('?', 1)[0]!)
  const strongest = strengths.find((name) => digests.some((digest) => digest.startsWith(`${name}-`)))
  return strongest === undefined ? [] : digests.filter((digest) => digest.startsWith(`${strongest}-`))
}

function toUnresolved(
  { name, version }: Package,
  { other, own, lockfile }: { other: Package; own: Package; lockfile: string },
): Unresolved {
  const both = `${shorten(labelOf(other))} and ${shorten(labelOf(own))}`
  const reason = `${lockfile} gives ${both} the same integrity, so that one of the two is not what is installed; both are tested. Delete the entries and install again`
  return { name, range: version, code: 'lockfile-contradiction', reason, requiredBy: lockfile }
}

function labelOf({ name, version }: Package): string {
  return `${name}@${version}`
}
