import { artifactKey } from './artifact-type.ts'
import type { Coordinates, Dependency, EffectivePom, PomBuilder } from './effective-pom.ts'
import { type Exclusions, isExcluded, withExclusions } from './exclusions.ts'
import { isCoordinate } from './pom-reads.ts'
import { keyOf } from './profiles.ts'
import type { Problem, VersionChoice } from './version-choice.ts'

/** A dependency that is selected at its place, with the package it asks for: what mediation decides about. */
export interface Candidate {
  /** As managed; a relocated one has its new coordinates. */
  readonly dependency: Dependency
  /** Which artifact it is a version of. */
  readonly key: string
  /** The key before relocation. */
  readonly originalKey: string
  readonly coordinates: Coordinates | undefined
  readonly pom: EffectivePom | undefined
  readonly problem: Problem | undefined
  readonly isScopeManaged: boolean
  /** Hold for what is below it. */
  readonly exclusions: Exclusions
}

export interface CandidateMeans {
  readonly builder: PomBuilder
  readonly versions: VersionChoice
  findManaged(key: string): Dependency | undefined
  rangesOn(key: string): readonly string[]
}

/** Where a dependency is declared: by the project itself, or below. */
export interface DeclaredAt {
  readonly isDirect: boolean
  readonly exclusions: Exclusions
}

const MAX_RELOCATIONS = 10

/**
 * Undefined when the dependency is not selected here: below the first level optional ones and those of scope test or
 * provided are not, excluded ones nowhere. The project's dependency management decides below the first level, except for
 * exclusions, which it adds everywhere.
 */
export async function toCandidate(
  declared: Dependency,
  at: DeclaredAt,
  means: CandidateMeans,
): Promise<Candidate | undefined> {
  if (!at.isDirect && (declared.optional || declared.scope === 'test' || declared.scope === 'provided'))
    return undefined
  if (isExcluded(declared, at.exclusions)) return undefined
  const originalKey = artifactKey(declared)
  let { dependency, isScopeManaged } = manage(declared, { isBelow: !at.isDirect }, means)
  for (let relocations = 0; ; relocations++) {
    const key = artifactKey(dependency)
    const exclusions = withExclusions(at.exclusions, dependency.exclusions)
    const candidate = { dependency, key, originalKey, exclusions, isScopeManaged }
    const found = await findPackage(dependency, means)
    const moved = 'pom' in found ? found.pom?.relocation : undefined
    if (moved === undefined) return { ...candidate, pom: undefined, problem: undefined, ...found }
    if (relocations === MAX_RELOCATIONS) {
      const problem: Problem = { code: 'not-static', reason: 'The package says that it moved, time and again' }
      return { ...candidate, ...found, pom: undefined, problem }
    }
    // Selected once more, now as it is managed.
    if (!isSelected({ ...dependency, ...moved }, at)) return undefined
    const isSamePackage = moved.group === dependency.group && moved.artifact === dependency.artifact
    const before = isScopeManaged
    ;({ dependency, isScopeManaged } = manage(
      { ...dependency, ...moved },
      { isBelow: !at.isDirect && !isSamePackage },
      means,
    ))
    if (isSamePackage) isScopeManaged = before
  }
}

function isSelected(dependency: Dependency, { isDirect, exclusions }: DeclaredAt): boolean {
  const { optional, scope } = dependency
  if (!isDirect && (optional || scope === 'test' || scope === 'provided')) return false
  return !isExcluded(dependency, exclusions)
}

interface Managed {
  readonly dependency: Dependency
  readonly isScopeManaged: boolean
}

function manage(dependency: Dependency, { isBelow }: { readonly isBelow: boolean }, means: CandidateMeans): Managed {
  const managed = means.findManaged(keyOf(dependency))
  if (managed === undefined) return { dependency, isScopeManaged: false }
  const exclusions = [...dependency.exclusions, ...managed.exclusions]
  if (!isBelow) return { dependency: { ...dependency, exclusions }, isScopeManaged: false }
  const { version = dependency.version, scope = dependency.scope } = managed
  return { dependency: { ...dependency, version, scope, exclusions }, isScopeManaged: managed.scope !== undefined }
}

type Found = Pick<Candidate, 'coordinates'> & Partial<Pick<Candidate, 'pom' | 'problem'>>

async function findPackage(dependency: Dependency, { builder, versions, rangesOn }: CandidateMeans): Promise<Found> {
  const { group, artifact } = dependency
  const choice = await versions.choose(dependency, rangesOn(artifactKey(dependency)))
  if ('code' in choice) return { coordinates: undefined, problem: choice }
  const coordinates = { group, artifact, version: choice.version }
  if (dependency.scope === 'system') return findOnMachine(coordinates, builder)
  if (!Object.values(coordinates).every(isCoordinate)) {
    const reason = 'No repository can hold a package of these coordinates'
    return { coordinates: undefined, problem: { code: 'not-in-registry', reason } }
  }
  const pom = await builder.get(coordinates)
  return 'findManaged' in pom ? { coordinates, pom } : { coordinates, problem: pom }
}

/** Jars that come with every JDK of their time. */
const OF_JDK = /^(?:com\.sun|sun\.jdk|jdk\.tools):(?:tools|jdk\.tools|jconsole)$/

/** A jar on the machine that builds: it is what it says to be only as far as a repository knows such a package. */
async function findOnMachine(coordinates: Coordinates, builder: PomBuilder): Promise<Found> {
  const { group, artifact } = coordinates
  if (OF_JDK.test(`${group}:${artifact}`)) return { coordinates }
  const pom = Object.values(coordinates).every(isCoordinate) ? await builder.get(coordinates) : undefined
  if (pom !== undefined && 'findManaged' in pom) return { coordinates }
  if (pom?.code === 'registry-unreachable') return { coordinates, problem: pom }
  const reason = 'It is a file of the machine that builds, and no repository has such a package'
  return { coordinates, problem: { code: 'not-from-registry', reason } }
}
