import { shorten } from '#analysis/documents/json-document.ts'
import { mavenVersions } from '#analysis/versions/maven.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import { hasExpression } from './interpolation.ts'
import type { PomReads } from './pom-reads.ts'
import { findNewest, findOnlyVersion, isHard } from './requirement.ts'

export interface Problem {
  readonly code: Unresolved['code']
  readonly reason: string
}

export const UNMANAGED = 'No version is declared or managed'

/** Chooses one version for a dependency's request. */
export interface VersionChoice {
  /** Chooses a version. Other `ranges` apply too; if no version fits all, the own range decides. */
  choose(request: VersionRequest, ranges: readonly string[]): Promise<{ readonly version: string } | Problem>
}

interface VersionRequest {
  readonly group: string
  readonly artifact: string
  readonly version: string | undefined
}

/** Chooses as Maven's DefaultVersionRangeResolver and DefaultVersionResolver do. */
export function createVersionChoice(reads: PomReads): VersionChoice {
  return {
    async choose({ group, artifact, version }, ranges) {
      if (version === undefined) return problem('no-matching-version', UNMANAGED)
      if (hasExpression(`${group}${artifact}${version}`)) {
        return problem('not-static', `Undefined property ${shorten(expressionIn(`${group}${artifact}${version}`))}`)
      }
      if (!isHard(version) && version !== 'LATEST' && version !== 'RELEASE') return { version }
      if (isHard(version) && !mavenVersions.isRange(version)) {
        return problem('no-matching-version', 'Invalid version range')
      }
      const only = findOnlyVersion(version)
      if (only !== undefined) return { version: only }
      const answer = await reads.versions({ group, artifact })
      if ('code' in answer) return problem(answer.code, answer.reason)
      const { versions, latest, release } = answer.versions
      const chosen = isHard(version)
        ? (findNewest(versions, [version, ...ranges]) ?? findNewest(versions, [version]))
        : ((version === 'LATEST' ? latest : release) ?? findNewest(versions, []))
      return chosen === undefined ? problem('no-matching-version', 'No published version fits') : { version: chosen }
    },
  }
}

function problem(code: Problem['code'], reason: string): Problem {
  return { code, reason }
}

function expressionIn(text: string): string {
  return /\$\{[^}]*\}?/.exec(text)?.[0] ?? text
}
