import { shorten } from '#analysis/documents/json-document.ts'
import type { Package, Unresolved } from '../../dependency-graph.ts'
import { isSameVersion } from './archive-address.ts'

/** A lockfile entry with its archive's digest (Subresource Integrity). */
export interface LockedArchive {
  readonly package: Package
  readonly integrity: string
}

const strengths = ['sha512', 'sha384', 'sha256', 'sha1']

/**
 * Reports packages of a lockfile that share an archive: an archive contains one package version, so at least one entry
 * is false, and a client with the archive in its cache installs it for both.
 */
export function findSharedArchives(archives: Iterable<LockedArchive>, lockfile: string): Unresolved[] {
  const byDigest = new Map<string, Package>()
  const unresolved = new Map<string, Unresolved>()
  const take = (own: Package, digest: string) => {
    const other = byDigest.get(digest)
    if (other === undefined) byDigest.set(digest, own)
    else if (other.name !== own.name || !isSameVersion(other.version, own.version)) {
      for (const claimant of [other, own])
        unresolved.set(labelOf(claimant), toUnresolved(claimant, { other, own, lockfile }))
    }
  }
  for (const { package: own, integrity } of archives) {
    for (const digest of strongestDigests(integrity)) take(own, digest)
  }
  return [...unresolved.values()]
}

/** Returns digests of the strongest algorithm, which alone counts; several are alternatives. */
function strongestDigests(integrity: string): string[] {
  if (/^sha512-[^\s?]+$/.test(integrity)) return [integrity]
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
