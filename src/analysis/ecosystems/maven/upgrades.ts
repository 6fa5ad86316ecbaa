import { mavenVersions } from '#analysis/versions/maven.ts'
import type { Package } from '../../dependency-graph.ts'
import type { MavenReader } from '../../registries/maven.ts'
import {
  type Manifest,
  type ReadOptions,
  RegistryUnreachable,
  type UpgradeCandidate,
  type UpgradeTrials,
} from '../ecosystem.ts'
import { readPackage } from './package.ts'
import { createPomReads, MAX_QUESTIONS, type PomReads } from './pom-reads.ts'
import { openProject } from './project.ts'

/** The whole project is resolved again: a version that is nearer elsewhere would win. */
export function upgradeTrials(
  manifest: Manifest | undefined,
  reader: MavenReader,
  options: ReadOptions,
): UpgradeTrials {
  let opened: ReturnType<typeof openProject> | undefined
  const project = (sent: Manifest) => {
    opened ??= openProject(sent, reader, options)
    return opened
  }
  const alone = createPomReads(reader, { requested: options.repositories, declared: [], maxQuestions: MAX_QUESTIONS })
  return {
    isSameForAll: manifest === undefined && options.repositories.length === 0,
    candidates: async (direct) =>
      newerVersions(direct, manifest === undefined ? alone : (await project(manifest)).reads),
    async read(wanted) {
      if (manifest !== undefined) return (await project(manifest)).resolve(wanted)
      return readPackage(wanted[0]!, reader, options)
    },
  }
}

/**
 * Published versions that somebody who has this one could take: of the same kind (`-jre`, `.Final`), pre-releases only
 * for who has one, and none that is a date, as versions of packages were before they were numbered.
 */
export async function newerVersions(
  { name, version }: Package,
  reads: PomReads,
): Promise<UpgradeCandidate[] | undefined> {
  const [group = '', artifact = ''] = name.split(':')
  const answer = await reads.versions({ group, artifact })
  if ('code' in answer) {
    if (answer.code === 'registry-unreachable') throw new RegistryUnreachable(answer.reason)
    return undefined
  }
  const kind = kindOf(version)
  return answer.found.versions
    .filter((each) => mavenVersions.compare(each, version) > 0)
    .filter((each) => (isPreRelease(version) || !isPreRelease(each)) && (isDate(version) || !isDate(each)))
    .filter((each) => isPreRelease(each) || kindOf(each) === '' || kindOf(each) === kind)
    .sort(mavenVersions.compare)
    .map((each) => ({ version: each }))
}

/** What a version says besides its numbers and that it is released. */
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
