import type { Specifier } from '#analysis/versions/pep440-specifiers.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import { shorten } from '../npm/json-document.ts'
import type { Marker, MarkerEnvironment } from './marker.ts'
import type { ProjectFiles } from './project-files.ts'
import { isPin } from './published-files.ts'
import { applies, type Requirement } from './requirement.ts'
import { type AskedLine, targetName } from './walk-files.ts'

/** A package that the project itself asks for. */
export interface DirectPackage {
  readonly requirement: Requirement
  /** Undefined when it comes from the registry. */
  readonly elsewhere: { readonly version: string | undefined } | undefined
  readonly isHashed: boolean
  readonly via: readonly string[]
  readonly line: number
  readonly file: string | undefined
}

export interface AskedPackages {
  readonly direct: readonly DirectPackage[]
  /** What versions may be chosen at all, by project. */
  readonly constraints: ReadonlyMap<string, readonly Specifier[]>
  /** How many packages only other interpreters or systems need: projects, or other versions of those that are needed here. */
  readonly forOthers: number
  /** What comes from elsewhere, which is named even when its version is known. */
  readonly unresolved: readonly Unresolved[]
}

export function toAskedPackages(
  { requirements, constraints }: ProjectFiles,
  environment: MarkerEnvironment,
): AskedPackages {
  const { true: mine = [], false: rest = [] } = Object.groupBy(requirements, (each) =>
    holds(each, environment) ? 'true' : 'false',
  )
  const direct = mine.flatMap(toDirect)
  const here = new Set(mine.map(releaseOf))
  const others = new Set(rest.map(releaseOf))
  const limits = constraints.filter((each) => holds(each, environment))
  return {
    direct,
    constraints: toConstraints(limits),
    forOthers: [...others].filter((release) => !here.has(release)).length,
    unresolved: [...mine, ...limits].filter(({ asked }) => asked.kind === 'from-elsewhere').map(toElsewhere),
  }
}

function holds({ asked }: AskedLine, environment: MarkerEnvironment): boolean {
  const marker: Marker | undefined = asked.kind === 'from-elsewhere' ? asked.marker : asked.requirement.marker
  return applies({ marker }, environment, [])
}

function toDirect({ asked, isHashed, via, line, file }: AskedLine): DirectPackage[] {
  const { requirement } = asked
  if (requirement === undefined) return []
  const elsewhere = asked.kind === 'from-elsewhere' ? { version: asked.version } : undefined
  return [{ requirement, elsewhere, isHashed, via, line, file }]
}

function toConstraints(lines: readonly AskedLine[]): Map<string, Specifier[]> {
  const constraints = new Map<string, Specifier[]>()
  for (const { asked } of lines) {
    if (asked.requirement === undefined) continue
    const { project, specifiers } = asked.requirement
    constraints.set(project, [...(constraints.get(project) ?? []), ...specifiers])
  }
  return constraints
}

function toElsewhere({ asked, line, file }: AskedLine): Unresolved {
  const source = sourceOf({ asked })
  const requirement = asked.requirement
  const version = asked.kind === 'from-elsewhere' ? asked.version : undefined
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

/** Two lines that ask for the same have one text here. */
function releaseOf({ asked }: Pick<AskedLine, 'asked'>): string {
  const { requirement } = asked
  if (asked.kind === 'from-elsewhere' || requirement === undefined) return sourceOf({ asked })
  const range = requirement.specifiers.length === 0 ? '' : requirement.range.replace(/\s+/g, '')
  return `${requirement.project} ${range}`
}

function sourceOf({ asked }: Pick<AskedLine, 'asked'>): string {
  return asked.kind === 'from-elsewhere' ? asked.source : asked.requirement.project
}

/** Where in the files it stands. */
export function withPlace(
  entry: Pick<Unresolved, 'name' | 'range' | 'code' | 'reason'>,
  { line, file }: Pick<DirectPackage, 'line' | 'file'>,
): Unresolved {
  const unresolved = { ...entry, range: shorten(entry.range), requiredBy: file ?? targetName, line }
  return file === undefined ? unresolved : { ...unresolved, file }
}

/** The version that a requirement pins. */
export function findPin({ specifiers, range }: Pick<Requirement, 'specifiers' | 'range'>): string | undefined {
  const at = specifiers.findIndex(isPin)
  if (at === -1) return undefined
  const part = range.split(',').filter((each) => each.trim() !== '')[at]
  const version = part?.replace(/^\s*={2,3}\s*/, '').trim()
  return version === undefined || parsePythonVersion(version) === undefined ? undefined : version
}
