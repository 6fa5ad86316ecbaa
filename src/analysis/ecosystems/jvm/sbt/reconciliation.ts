import { mavenVersions } from '#analysis/versions/maven.ts'
import type { PomReads } from '../pom-reads.ts'
import { findNewest, findOnlyVersion, isHard } from '../requirement.ts'
import type { Problem } from '../version-choice.ts'

export interface VersionChoice {
  readonly version: string | undefined
  readonly problem?: Problem
}

const conflict: Problem = { code: 'no-matching-version', reason: 'No version fits everything that asks for it' }

/**
 * Chooses one version for all demands as Coursier does: the newest plain version within all ranges; if all are older
 * than the ranges, the newest published one in them.
 */
export async function chooseVersion(
  name: string,
  requested: readonly (string | undefined)[],
  reads: PomReads,
): Promise<VersionChoice> {
  const distinct = [...new Set(requested.filter((version) => version !== undefined).map(toRange))]
  if (distinct.length === 0) {
    return { version: undefined, problem: { code: 'no-matching-version', reason: 'No version is given' } }
  }
  const open = distinct.find((range) => range.includes('${'))
  if (open !== undefined)
    return {
      version: undefined,
      problem: { code: 'not-static', reason: `Nothing sets what ${open.slice(0, 100)} means` },
    }
  const ranges = distinct.filter(isHard)
  const plain = distinct.filter((range) => !isHard(range) && !isLatest(range))
  const isLatestAsked = distinct.some(isLatest)
  if (ranges.length === 0 && !isLatestAsked) return { version: findNewest(plain, []) }
  const wrong = ranges.find((range) => !mavenVersions.isRange(range))
  if (wrong !== undefined)
    return { version: findNewest(plain, []), problem: { ...conflict, reason: 'This is not a range of versions' } }
  const fitting = findNewest(plain, ranges)
  if (fitting !== undefined && !isLatestAsked) return { version: fitting }
  const [only] = ranges.map(findOnlyVersion).filter((version) => version !== undefined)
  const listed = only === undefined ? await published(name, reads) : [only]
  if ('code' in listed) return { version: findNewest(plain, []), problem: listed }
  const newest = isLatestAsked && ranges.length === 0 ? newestRelease(listed) : findNewest(listed, ranges)
  const highest = findNewest(plain, [])
  const isAbove = highest !== undefined && newest !== undefined && mavenVersions.compare(highest, newest) > 0
  if (newest === undefined || isAbove) return { version: highest ?? newest, problem: conflict }
  return { version: newest }
}

async function published(name: string, reads: PomReads): Promise<readonly string[] | Problem> {
  const [group = '', artifact = ''] = name.split(':')
  const answer = await reads.versions({ group, artifact })
  return 'code' in answer ? answer : answer.versions.versions
}

function newestRelease(listed: readonly string[]): string | undefined {
  return findNewest(
    listed.filter((version) => !version.endsWith('-SNAPSHOT')),
    [],
  )
}

function isLatest(version: string): boolean {
  return version === '+' || /^latest\./.test(version) || version === 'LATEST' || version === 'RELEASE'
}

/** Converts Ivy's `1.2.+` to a range. */
function toRange(version: string): string {
  const text = version.slice(0, 500)
  const prefix = /^(\d[\d.]*?)\.\+$/.exec(text)?.[1]
  if (prefix === undefined) return text.replace(/^\]/, '(').replace(/\[$/, ')')
  const numbers = prefix.split('.')
  const next = [...numbers.slice(0, -1), String(Number(numbers.at(-1)) + 1)].join('.')
  return `[${prefix},${next}-alpha)`
}
