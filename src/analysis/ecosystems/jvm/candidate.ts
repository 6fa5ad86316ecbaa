import { artifactKey } from './artifact-type.ts'
import type { Coordinates } from './coordinates.ts'
import type { Dependency, EffectivePom, PomBuilder } from './effective-pom.ts'
import { type Exclusions, isExcluded, withExclusions } from './exclusions.ts'
import { isCoordinate } from './pom-reads.ts'
import { keyOf } from './profiles.ts'
import type { Problem, VersionChoice } from './version-choice.ts'

/** A dependency selected at its place, with its package: the subject of mediation. */
export interface Candidate {
  /** After management; with new coordinates if relocated. */
  readonly dependency: Dependency
  /** The key of its artifact. */
  readonly key: string
  /** The key before relocation. */
  readonly originalKey: string
  readonly coordinates: Coordinates | undefined
  readonly pom: EffectivePom | undefined
  readonly problem: Problem | undefined
  readonly isScopeManaged: boolean
  /** Exclusions for its subtree. */
  readonly exclusions: Exclusions
}

export interface CandidateDeps {
  readonly builder: PomBuilder
  readonly versions: VersionChoice
  findManaged(key: string): Dependency | undefined
  rangesOn(key: string): readonly string[]
}

/** The declaring level: the project itself, or below. */
export interface DeclaredAt {
  readonly isDirect: boolean
  readonly exclusions: Exclusions
}

const MAX_RELOCATIONS = 10

/**
 * Selects a dependency at its place. Undefined if it is excluded, or below the first level if it is optional or has
 * scope test or provided. The project's dependency management applies below the first level; its exclusions apply
 * everywhere.
 */
export async function toCandidate(
  declared: Dependency,
  at: DeclaredAt,
  deps: CandidateDeps,
): Promise<Candidate | undefined> {
  if (!at.isDirect && (declared.optional || declared.scope === 'test' || declared.scope === 'provided'))
    return undefined
  if (isExcluded(declared, at.exclusions)) return undefined
  const originalKey = artifactKey(declared)
  let { dependency, isScopeManaged } = manage(declared, { isBelow: !at.isDirect }, deps)
  for (let relocations = 0; ; relocations++) {
    const key = artifactKey(dependency)
    const exclusions = withExclusions(at.exclusions, dependency.exclusions)
    const candidate = { dependency, key, originalKey, exclusions, isScopeManaged }
    const answer = await findPackage(dependency, deps)
    const moved = 'pom' in answer ? answer.pom?.relocation : undefined
    if (moved === undefined) return { ...candidate, pom: undefined, problem: undefined, ...answer }
    if (relocations === MAX_RELOCATIONS) {
      const problem: Problem = { code: 'not-static', reason: `More than ${MAX_RELOCATIONS} relocations` }
      return { ...candidate, ...answer, pom: undefined, problem }
    }
    // Select again after management.
    if (!isSelected({ ...dependency, ...moved }, at)) return undefined
    const isSamePackage = moved.group === dependency.group && moved.artifact === dependency.artifact
    const before = isScopeManaged
    ;({ dependency, isScopeManaged } = manage(
      { ...dependency, ...moved },
      { isBelow: !at.isDirect && !isSamePackage },
      deps,
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

function manage(dependency: Dependency, { isBelow }: { readonly isBelow: boolean }, deps: CandidateDeps): Managed {
  const managed = deps.findManaged(keyOf(dependency))
  if (managed === undefined) return { dependency, isScopeManaged: false }
  const exclusions = [...dependency.exclusions, ...managed.exclusions]
  if (!isBelow) return { dependency: { ...dependency, exclusions }, isScopeManaged: false }
  const { version = dependency.version, scope = dependency.scope } = managed
  return { dependency: { ...dependency, version, scope, exclusions }, isScopeManaged: managed.scope !== undefined }
}

type Found = Pick<Candidate, 'coordinates'> & Partial<Pick<Candidate, 'pom' | 'problem'>>

async function findPackage(dependency: Dependency, { builder, versions, rangesOn }: CandidateDeps): Promise<Found> {
  const { group, artifact } = dependency
  const choice = await versions.choose(dependency, rangesOn(artifactKey(dependency)))
  if ('code' in choice) return { coordinates: undefined, problem: choice }
  const coordinates = { group, artifact, version: choice.version }
  if (dependency.scope === 'system') return findOnMachine(coordinates, builder)
  if (!Object.values(coordinates).every(isCoordinate)) {
    const reason = 'Invalid coordinates'
    return { coordinates: undefined, problem: { code: 'not-in-registry', reason } }
  }
  const pom = await builder.get(coordinates)
  return 'findManaged' in pom ? { coordinates, pom } : { coordinates, problem: pom }
}

/** Jars bundled with every JDK of their time. */
const OF_JDK = /^(?:com\.sun|sun\.jdk|jdk\.tools):(?:tools|jdk\.tools|jconsole)$/

/** Handles a jar on the build machine: its identity is known only if a repository has such a package. */
async function findOnMachine(coordinates: Coordinates, builder: PomBuilder): Promise<Found> {
  const { group, artifact } = coordinates
  if (OF_JDK.test(`${group}:${artifact}`)) return { coordinates }
  const pom = Object.values(coordinates).every(isCoordinate) ? await builder.get(coordinates) : undefined
  if (pom !== undefined && 'findManaged' in pom) return { coordinates }
  if (pom?.code === 'registry-unreachable') return { coordinates, problem: pom }
  const reason = 'It is a file of the build machine, and no repository has it'
  return { coordinates, problem: { code: 'not-from-registry', reason } }
}
