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
    .filter((each) => npmVersions.compare(each, version) > 0 && (takesPrereleases || !each.includes('-')))
    .sort(npmVersions.compare)
  const majorOf = (each: string) => each.split('.')[0]
  const supported = newer.filter((each) => !metadata.versions[each]!.deprecated)
  const supportedMajors = new Set(supported.map(majorOf))
  return newer.filter((each) => supported.includes(each) || !supportedMajors.has(majorOf(each)))
}

export function exactly({ name, version }: Package): Dependency {
  return { name, range: version, kind: 'prod', mayBeAbsent: false }
}
