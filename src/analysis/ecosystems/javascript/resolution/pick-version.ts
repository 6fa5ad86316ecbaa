import type { PackageMetadata } from '#analysis/registries/npm.ts'
import { findExactVersion, npmVersions } from '#analysis/versions/npm.ts'

/** Returns the highest of the preferred versions that a range allows, else the one that npm installs. */
export function pickPreferred(
  metadata: PackageMetadata,
  selector: string,
  preferred: readonly string[],
): string | undefined {
  const published = preferred.filter((version) => Object.hasOwn(metadata.versions, version))
  const fitting = npmVersions.isRange(selector)
    ? published.filter((version) => npmVersions.satisfies(version, selector))
    : []
  return fitting.toSorted(npmVersions.compare).at(-1) ?? pickVersion(metadata, selector)
}

/**
 * Returns the version npm installs for a version, range or tag (npm-pick-manifest): the `latest` tag's if it is in
 * range and not deprecated, else the newest not deprecated, else the newest. A tag or a version selects exactly one
 * version. Ignores `engines`, which depends on the machine.
 */
function pickVersion(metadata: PackageMetadata, selector: string): string | undefined {
  const exact = findExactVersion(selector)
  if (exact !== undefined) return Object.hasOwn(metadata.versions, exact) ? exact : undefined
  if (!npmVersions.isRange(selector)) return taggedVersion(metadata, selector)
  const latest = taggedVersion(metadata, 'latest')
  const isAny = selector === '*'
  if (
    latest !== undefined &&
    !metadata.versions[latest]!.deprecated &&
    (isAny || npmVersions.satisfies(latest, selector))
  ) {
    return latest
  }
  let best: string | undefined
  for (const version of Object.keys(metadata.versions)) {
    if (best !== undefined && !isBetter(metadata, version, best)) continue
    if (npmVersions.satisfies(version, selector)) best = version
  }
  return best
}

function isBetter(metadata: PackageMetadata, version: string, than: string): boolean {
  const isDeprecated = metadata.versions[version]!.deprecated
  if (isDeprecated !== metadata.versions[than]!.deprecated) return !isDeprecated
  return npmVersions.compare(version, than) > 0
}

function taggedVersion(metadata: PackageMetadata, tag: string): string | undefined {
  const version = Object.hasOwn(metadata.tags, tag) ? metadata.tags[tag] : undefined
  return version !== undefined && Object.hasOwn(metadata.versions, version) ? version : undefined
}
