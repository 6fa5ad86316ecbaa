import { npmVersions } from '#analysis/versions/npm.ts'
import type { Package } from '../../dependency-graph.ts'
import type { NpmReader } from '../../registries/npm.ts'
import type { Dependency } from './dependency.ts'

/**
 * Returns newer versions for their intended users: pre-releases only for users of one, deprecated versions only of
 * major versions without others.
 */
export async function newerVersions({ name, version }: Package, reader: NpmReader): Promise<string[] | undefined> {
  const metadata = await reader.get(name)
  if (metadata === undefined) return undefined
  const takesPrereleases = version.includes('-')
  const newer = Object.keys(metadata.versions)
    .filter(
      (candidate) => npmVersions.compare(candidate, version) > 0 && (takesPrereleases || !candidate.includes('-')),
    )
    .sort(npmVersions.compare)
  const majorOf = (version: string) => version.split('.')[0]
  const supported = newer.filter((version) => !metadata.versions[version]!.deprecated)
  const supportedMajors = new Set(supported.map(majorOf))
  return newer.filter((version) => supported.includes(version) || !supportedMajors.has(majorOf(version)))
}

export function exactly({ name, version }: Package): Dependency {
  return { name, range: version, kind: 'prod', mayBeAbsent: false }
}
