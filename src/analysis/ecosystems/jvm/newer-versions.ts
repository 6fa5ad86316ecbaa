import { mavenVersions } from '#analysis/versions/maven.ts'
import type { Package } from '../../dependency-graph.ts'
import type { MavenReader } from '../../registries/maven.ts'
import { type ReadOptions, RegistryUnreachable, type WhatIfResolver } from '../ecosystem.ts'
import { readPackage } from './package.ts'
import { createPomReads, MAX_QUERIES, type PomReads } from './pom-reads.ts'

/** Resolves a published package as the only dependency of a project. */
export function packageResolver(reader: MavenReader, options: ReadOptions): WhatIfResolver {
  const reads = createPomReads(reader, { requested: options.repositories, declared: [], maxQueries: MAX_QUERIES })
  return {
    isSameForAll: options.repositories.length === 0,
    candidates: (direct) => newerVersions(direct, reads),
    read: (requested) => readPackage(requested[0]!, reader, options),
  }
}

/**
 * Returns published versions suitable for users of the current one: the same variant (`-jre`, `.Final`), pre-releases
 * only for pre-releases, and no dates, which some packages used before numbers.
 */
export async function newerVersions({ name, version }: Package, reads: PomReads): Promise<string[] | undefined> {
  const [group = '', artifact = ''] = name.split(':')
  const answer = await reads.versions({ group, artifact })
  if ('code' in answer) {
    if (answer.code === 'registry-unreachable') throw new RegistryUnreachable(answer.reason)
    return undefined
  }
  const kind = kindOf(version)
  return answer.versions.versions
    .filter((candidate) => mavenVersions.compare(candidate, version) > 0)
    .filter(
      (candidate) => (isPreRelease(version) || !isPreRelease(candidate)) && (isDate(version) || !isDate(candidate)),
    )
    .filter((version) => isPreRelease(version) || kindOf(version) === '' || kindOf(version) === kind)
    .sort(mavenVersions.compare)
}

/** Returns the variant of a version: its qualifiers other than numbers and release markers. */
function kindOf(version: string): string {
  const words = version.toLowerCase().match(/[a-z]+/g) ?? []
  return words.filter((word) => !['final', 'release', 'ga', 'v', 'r', 'sp'].includes(word)).join('-')
}

function isPreRelease(version: string): boolean {
  const numbers = /^[\d.]*\d/.exec(version)?.[0]
  const isBelowItsNumbers = numbers !== undefined && mavenVersions.compare(version, numbers) < 0
  return isBelowItsNumbers || /(?:^|[.-])(?:ea|pre|preview|dev|nightly|m\d)/i.test(version)
}

function isDate(version: string): boolean {
  return /^(?:19|20)\d{6}(?:\D|$)/.test(version)
}
