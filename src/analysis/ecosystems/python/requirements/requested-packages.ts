import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import type { Specifier } from '#analysis/versions/pep440-specifiers.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import type { Marker, MarkerEnvironment } from '../packaging/marker.ts'
import { isPin } from '../packaging/published-files.ts'
import { applies, type Requirement } from '../packaging/requirement.ts'
import type { ProjectFiles } from './project-files.ts'
import { type LocatedRequirement, targetName } from './walk-files.ts'

/** A direct dependency of the project. */
export interface DirectPackage {
  readonly requirement: Requirement
  /** Undefined for a package from the registry. */
  readonly elsewhere: { readonly version: string | undefined } | undefined
  readonly isHashed: boolean
  readonly via: readonly string[]
  readonly line: number
  readonly file: string | undefined
}

export interface RequestedPackages {
  readonly direct: readonly DirectPackage[]
  /** Version constraints by project. */
  readonly constraints: ReadonlyMap<string, readonly Specifier[]>
  /** Number of packages only for other interpreters or systems: projects, or other versions of needed ones. */
  readonly forOthers: number
  /** Packages from other sources, reported even if their version is known. */
  readonly unresolved: readonly Unresolved[]
}

export function toRequestedPackages(
  { requirements, constraints }: Pick<ProjectFiles, 'requirements' | 'constraints'>,
  environment: MarkerEnvironment,
): RequestedPackages {
  const { true: mine = [], false: rest = [] } = Object.groupBy(requirements, (requirement) =>
    holds(requirement, environment) ? 'true' : 'false',
  )
  const direct = mine.flatMap(toDirect)
  const here = new Set(mine.map(releaseOf))
  const others = new Set(rest.map(releaseOf))
  const limits = constraints.filter((constraint) => holds(constraint, environment))
  return {
    direct,
    constraints: toConstraints(limits),
    forOthers: [...others].filter((release) => !here.has(release)).length,
    unresolved: [...mine, ...limits].filter(({ parsed }) => parsed.kind === 'from-elsewhere').map(toElsewhere),
  }
}

function holds({ parsed }: LocatedRequirement, environment: MarkerEnvironment): boolean {
  const marker: Marker | undefined = parsed.kind === 'from-elsewhere' ? parsed.marker : parsed.requirement.marker
  return applies({ marker }, environment, [])
}

function toDirect({ parsed, isHashed, via, line, file }: LocatedRequirement): DirectPackage[] {
  const { requirement } = parsed
  if (requirement === undefined) return []
  const elsewhere = parsed.kind === 'from-elsewhere' ? { version: parsed.version } : undefined
  return [{ requirement, elsewhere, isHashed, via, line, file }]
}

function toConstraints(lines: readonly LocatedRequirement[]): Map<string, Specifier[]> {
  const constraints = new Map<string, Specifier[]>()
  for (const { parsed } of lines) {
    if (parsed.requirement === undefined) continue
    const { project, specifiers } = parsed.requirement
    constraints.set(project, [...(constraints.get(project) ?? []), ...specifiers])
  }
  return constraints
}

function toElsewhere({ parsed, line, file }: LocatedRequirement): Unresolved {
  const source = sourceOf({ parsed })
  const requirement = parsed.requirement
  const version = parsed.kind === 'from-elsewhere' ? parsed.version : undefined
  const reason =
    requirement === undefined
      ? `It comes from ${source}, and what package that is and what it depends on is not known`
      : version === undefined
        ? `It comes from ${source}, so neither its version nor what it depends on is known`
        : `It comes from ${source}, so what it depends on is not known`
  return withPlace(
    { name: requirement?.project ?? source, range: version ?? '', code: 'not-from-registry', reason },
    { line, file },
  )
}

/** Returns a text that is equal for lines with the same request. */
function releaseOf({ parsed }: Pick<LocatedRequirement, 'parsed'>): string {
  const { requirement } = parsed
  if (parsed.kind === 'from-elsewhere' || requirement === undefined) return sourceOf({ parsed })
  const range = requirement.specifiers.length === 0 ? '' : requirement.range.replace(/\s+/g, '')
  return `${requirement.project} ${range}`
}

function sourceOf({ parsed }: Pick<LocatedRequirement, 'parsed'>): string {
  return parsed.kind === 'from-elsewhere' ? parsed.source : parsed.requirement.project
}

/** Adds the line's position in the files. */
export function withPlace(
  entry: Pick<Unresolved, 'name' | 'range' | 'code' | 'reason'>,
  { line, file }: Pick<DirectPackage, 'line' | 'file'>,
): Unresolved {
  const unresolved = { ...entry, range: shorten(entry.range), requiredBy: file ?? targetName, line }
  return file === undefined ? unresolved : { ...unresolved, file }
}

/** Returns the version that a requirement pins. */
export function findPin({ specifiers, range }: Pick<Requirement, 'specifiers' | 'range'>): string | undefined {
  const at = specifiers.findIndex(isPin)
  if (at === -1) return undefined
  const part = range.split(',').filter((specifier) => specifier.trim() !== '')[at]
  const version = part?.replace(/^\s*={2,3}\s*/, '').trim()
  return version === undefined || parsePythonVersion(version) === undefined ? undefined : version
}
