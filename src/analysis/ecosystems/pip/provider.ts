import { isMet, parseSpecifiers, type Specifier } from '#analysis/versions/pep440-specifiers.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import { type Candidate, PYTHON, toId, toWant, type Want, wantExactly } from './candidate.ts'
import type { PythonEnvironment } from './environment.ts'
import { createPreference } from './preference.ts'
import type { ProjectReads, VersionFacts } from './project-reads.ts'
import { type FilePolicy, fittingFiles, meetsAll, type PublishedFile } from './published-files.ts'
import { applies, type Requirement } from './requirement.ts'
import type { Provider } from './resolution.ts'

export interface ProviderParts {
  readonly reads: ProjectReads
  readonly environment: PythonEnvironment
  readonly policy: FilePolicy
  readonly constraints: ReadonlyMap<string, readonly Specifier[]>
  /** The place of what the project itself asks for, by id. */
  readonly order: ReadonlyMap<string, number>
  /** Demands that are not heeded, because they contradict others; see `demandKey`. */
  readonly dropped: ReadonlySet<string>
}

/** Names one demand of one version. */
export function demandKey(parent: Candidate, { id, range }: Want): string {
  return `${parent.id}@${parent.version} ${id} ${range}`
}

/** What pip's provider answers to its resolver. */
export interface PipProvider extends Provider {
  /** The one candidate of a file. */
  candidateOf(project: string, file: PublishedFile): Candidate
}

export function createProvider(parts: ProviderParts): PipProvider {
  const { reads, environment, policy, constraints, dropped } = parts
  const bases = new Map<PublishedFile, Candidate>()
  const unknowns = new Map<string, Candidate>()
  const withExtras = new Map<Candidate, Map<string, Candidate>>()
  const dependencies = new Map<Candidate, Promise<readonly Want[] | undefined>>()
  const satisfied = new Map<Want, Map<Candidate, boolean>>()
  const fitting = new Map<string, readonly Candidate[]>()
  const pythons = new WeakMap<readonly Want[], boolean>()
  const python: Candidate = { ...toUnknown(PYTHON), version: environment.fullVersion }

  function candidateOf(project: string, file: PublishedFile): Candidate {
    const { version, parsed } = file
    return getOrMake(bases, file, () => ({ ...toUnknown(project), version, parsed, file }))
  }

  function withThese(base: Candidate, extras: readonly string[]): Candidate {
    if (extras.length === 0) return base
    const known = getOrMake(withExtras, base, () => new Map<string, Candidate>())
    return getOrMake(known, extras.join(), () => ({ ...base, id: toId(base.project, extras), extras, base }))
  }

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
      const found = await listed(project, extras, all)
      return without.size === 0 ? found : found.filter((each) => !without.has(each))
    }
    return [...new Set(exact)].filter(
      (each) => !without.has(each) && meetsConstraint(each) && wants.every((want) => isSatisfied(want, each)),
    )
  }

  function meetsPython(wants: readonly Want[]): boolean {
    return getOrMake(pythons, wants, () => wants.every((want) => isSatisfied(want, python)))
  }

  async function listed(
    project: string,
    extras: readonly string[],
    wants: readonly Want[],
  ): Promise<readonly Candidate[]> {
    const files = await reads.files(project)
    if ('code' in files) return files.code === 'not-in-registry' ? [] : [unknownOf(project, extras)]
    const ranges = new Set(wants.map(({ range }) => range))
    const found = getOrMake(fitting, JSON.stringify([project, extras, [...ranges].sort()]), () => {
      const specifiers = [...(constraints.get(project) ?? []), ...wants.flatMap((want) => want.specifiers)]
      return fittingFiles(files, specifiers, { project, policy }).map((file) =>
        withThese(candidateOf(project, file), extras),
      )
    })
    if (found[0]?.file !== undefined) reads.foreseeFacts(project, found[0].file)
    return found
  }

  function unknownOf(project: string, extras: readonly string[]): Candidate {
    return withThese(
      getOrMake(unknowns, project, () => toUnknown(project)),
      extras,
    )
  }

  function meetsConstraint({ project, version, parsed, isGiven }: Candidate): boolean {
    return isGiven || version === undefined || meetsAll(constraints.get(project) ?? [], { version, parsed })
  }

  function isSatisfied(want: Want, candidate: Candidate): boolean {
    if (want.exact !== undefined) return candidate === want.exact
    const { version } = candidate
    if (version === undefined || want.specifiers.length === 0) return true
    const parsed = candidate === python ? parsePythonVersion(version) : candidate.parsed
    const known = getOrMake(satisfied, want, () => new Map<Candidate, boolean>())
    return getOrMake(known, candidate, () => want.specifiers.every((specifier) => isMet(specifier, version, parsed)))
  }

  async function readDependencies(candidate: Candidate): Promise<readonly Want[] | undefined> {
    const { project, file, base, extras, isGiven } = candidate
    const self = base === undefined ? [] : [wantExactly(base)]
    if (file === undefined) return self
    const facts = await reads.facts(project, file)
    if (facts.isInvalid && !isGiven) return undefined
    const asked = askedBy(facts, extras, environment)
    const interpreter = base === undefined && !isGiven ? pythonWant(facts.requiresPython) : []
    const wants = [...self, ...interpreter, ...asked.flatMap(wantsFor)]
    const heeded = wants.filter((want) => !dropped.has(demandKey(candidate, want)))
    for (const want of heeded) if (want.exact === undefined && want.id !== PYTHON) reads.foresee(want.project)
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
    // Nothing is known of what stands at an address.
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

/** What of a version's metadata counts, for those of the extras that it has. */
export function askedBy(
  { requirements, extras: known }: VersionFacts,
  extras: readonly string[],
  { markers }: PythonEnvironment,
): Requirement[] {
  const given = extras.filter((extra) => known.has(extra))
  return requirements.filter((requirement) => applies(requirement, markers, given))
}

/** A range on something with extras is asked of it without extras, too, so that both are found in one place. */
export function toWants({ project, extras, range, specifiers }: Requirement): Want[] {
  const whole = toWant(project, { extras, range, specifiers })
  return extras.length > 0 && specifiers.length > 0 ? [toWant(project, { range, specifiers }), whole] : [whole]
}

/** Something of which no version is known. */
export function toUnknown(project: string): Candidate {
  return {
    id: project,
    project,
    extras: [],
    version: undefined,
    parsed: undefined,
    file: undefined,
    base: undefined,
    isGiven: false,
  }
}

interface Known<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

function getOrMake<K, V>(known: Known<K, V>, key: K, make: () => V): V {
  let value = known.get(key)
  if (value === undefined) {
    value = make()
    known.set(key, value)
  }
  return value
}
