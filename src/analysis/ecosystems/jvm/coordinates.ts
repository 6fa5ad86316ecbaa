import type { Unresolved } from '#analysis/dependency-graph.ts'
import type { Pom, SourcePosition } from './pom.ts'
import type { ActiveProfiles } from './profiles.ts'

/** A missing base of a POM. */
export interface PomFault {
  readonly name: string
  readonly range: string
  readonly code: Unresolved['code']
  readonly reason: string
  readonly place: SourcePosition | undefined
}

export interface Ancestor {
  readonly pom: Pom
  /** After applying active profiles. */
  readonly merged: Pom
  readonly profiles: ActiveProfiles
}

export interface PomSource {
  /** Returns the raw POM: a sent one, or the repository's. */
  find(coordinates: Coordinates): Promise<{ readonly pom: Pom } | Pick<PomFault, 'code' | 'reason'>>
  /** Returns published versions in any order. */
  versions(group: string, artifact: string): Promise<readonly string[] | Pick<PomFault, 'code' | 'reason'>>
}

export interface Coordinates {
  readonly group: string
  readonly artifact: string
  readonly version: string
}

export function toText({ group, artifact, version }: Coordinates): string {
  return `${group}:${artifact}:${version}`
}
