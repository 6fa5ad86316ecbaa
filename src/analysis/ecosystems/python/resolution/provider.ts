import { isMet, parseSpecifiers, type Specifier } from '#analysis/versions/pep440-specifiers.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import type { PreferredVersions } from '../../ecosystem.ts'
import type { PythonEnvironment } from '../packaging/environment.ts'
import type { FilePolicy, PublishedFile } from '../packaging/published-files.ts'
import { applies, type Requirement } from '../packaging/requirement.ts'
import { type Candidate, PYTHON, toWant, type Want, wantExactly } from './candidate.ts'
import { createPreference } from './preference.ts'
import type { ProjectReads, VersionFacts } from './project-reads.ts'
import { createCandidates, getOrMake, toUnknown } from './published-candidates.ts'
import type { Provider } from './resolution.ts'

export interface ProviderParts {
  readonly reads: ProjectReads
  readonly environment: PythonEnvironment
  readonly policy: FilePolicy
  readonly constraints: ReadonlyMap<string, readonly Specifier[]>
  readonly preferred?: PreferredVersions | undefined
  /** Position of direct requirements by id. */
  readonly order: ReadonlyMap<string, number>
  /** Demands dropped because they contradict others; see `demandKey`. */
  readonly dropped: ReadonlySet<string>
}

/** Returns a key for one demand of one version. */
export function demandKey(parent: Candidate, { id, range }: Want): string {
  return `${parent.id}@${parent.version} ${id} ${range}`
}

/** The answers of pip's provider to its resolver. */
export interface PipProvider extends Provider {
  /** Returns the only candidate of a file. */
  candidateOf(project: string, file: PublishedFile): Candidate
}

export function createProvider(parts: ProviderParts): PipProvider {
  const { reads, environment, dropped } = parts
  const { candidateOf, listed, meetsConstraint, unknownOf, withThese } = createCandidates(parts)
  const dependencies = new Map<Candidate, Promise<readonly Want[] | undefined>>()
  const satisfied = new Map<Want, Map<Candidate, boolean>>()
  const pythons = new WeakMap<readonly Want[], boolean>()
  const python: Candidate = { ...toUnknown(PYTHON), version: environment.fullVersion }

  async function findMatches(
    id: string,
    wantsOf: (id: string) => readonly Want[],
    incompatible: readonly Candidate[],
  ): Promise<readonly Candidate[]> {
    const wants = wantsOf(id)
    const [first] = wants
    if (first === undefined) return []
    if (id === PYTHON) return meetsPython(wants) && !incompatible.includes(python) ? [python] : []
    const { project, extras } = first
    const all = extras.length === 0 ? wants : [...wants, ...wantsOf(project)]
    const exact = all.flatMap((want) =>
      want.exact === undefined ? [] : [withThese(want.exact.base ?? want.exact, extras)],
    )
    const without = new Set(incompatible)
    if (exact.length === 0) {
      const candidates = await listed(project, extras, all)
      return without.size === 0 ? candidates : candidates.filter((candidate) => !without.has(candidate))
    }
    return [...new Set(exact)].filter(
      (candidate) =>
        !without.has(candidate) && meetsConstraint(candidate) && wants.every((want) => isSatisfied(want, candidate)),
    )
  }

  function meetsPython(wants: readonly Want[]): boolean {
    return getOrMake(pythons, wants, () => wants.every((want) => isSatisfied(want, python)))
  }

  function isSatisfied(want: Want, candidate: Candidate): boolean {
    if (want.exact !== undefined) return candidate === want.exact
    const { version } = candidate
    if (version === undefined || want.specifiers.length === 0) return true
    const parsed = candidate === python ? parsePythonVersion(version) : candidate.parsed
    const byCandidate = getOrMake(satisfied, want, () => new Map<Candidate, boolean>())
    return getOrMake(byCandidate, candidate, () =>
      want.specifiers.every((specifier) => isMet(specifier, version, parsed)),
    )
  }

  async function readDependencies(candidate: Candidate): Promise<readonly Want[] | undefined> {
    const { project, file, base, extras, isGiven } = candidate
    const self = base === undefined ? [] : [wantExactly(base)]
    if (file === undefined) return self
    const facts = await reads.facts(project, file)
    if (facts.isInvalid && !isGiven) return undefined
    const requirements = applicableRequirements(facts, extras, environment)
    const interpreter = base === undefined && !isGiven ? pythonWant(facts.requiresPython) : []
    const wants = [...self, ...interpreter, ...requirements.flatMap(wantsFor)]
    const heeded = wants.filter((want) => !dropped.has(demandKey(candidate, want)))
    for (const want of heeded) if (want.exact === undefined && want.id !== PYTHON) reads.prefetch(want.project)
    return heeded
  }

  function pythonWant(requiresPython: string | undefined): Want[] {
    const specifiers = parseSpecifiers(requiresPython ?? '')
    if (requiresPython === undefined || specifiers === undefined || specifiers.length === 0) return []
    return [{ ...toWant(PYTHON, {}), range: requiresPython, specifiers }]
  }

  function wantsFor(requirement: Requirement): Want[] {
    const { project, url, extras } = requirement
    if (url === undefined) return toWants(requirement)
    // The content at an address is unknown.
    return [wantExactly(unknownOf(project, extras))]
  }

  return {
    candidateOf,
    findMatches,
    isSatisfied,
    dependenciesOf: (candidate) => getOrMake(dependencies, candidate, () => readDependencies(candidate)),
    ...createPreference(parts.order),
  }
}

/** Returns the applicable requirements of a version's metadata with the given extras. */
export function applicableRequirements(
  { requirements, extras: available }: VersionFacts,
  extras: readonly string[],
  { markers }: PythonEnvironment,
): Requirement[] {
  const activeExtras = extras.filter((extra) => available.has(extra))
  return requirements.filter((requirement) => applies(requirement, markers, activeExtras))
}

/**
 * Converts a requirement. A range on a name with extras is also demanded of the name without, so that both get one
 * version.
 */
export function toWants({ project, extras, range, specifiers }: Requirement): Want[] {
  const whole = toWant(project, { extras, range, specifiers })
  return extras.length > 0 && specifiers.length > 0 ? [toWant(project, { range, specifiers }), whole] : [whole]
}
