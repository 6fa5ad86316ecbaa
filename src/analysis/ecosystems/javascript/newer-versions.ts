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
    .filter((text) => npmVersions.compare(text, version) > 0 && (takesPrereleases || !text.includes('-')))
    .sort(npmVersions.compare)
  const majorOf = (text: string) => text.split('.')[0]
  const supported = newer.filter((text) => !metadata.versions[text]!.deprecated)
  const supportedMajors = new Set(supported.map(majorOf))
  return newer.filter((text) => supported.includes(text) || !supportedMajors.has(majorOf(text)))
}

export function exactly({ name, version }: Package): Dependency {
  return { name, range: version, kind: 'prod', mayBeAbsent: false }
}
