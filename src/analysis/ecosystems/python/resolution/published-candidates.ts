import type { Specifier } from '#analysis/versions/pep440-specifiers.ts'
import type { PreferredVersions } from '../../ecosystem.ts'
import { type FilePolicy, fittingFiles, meetsAll, type PublishedFile } from '../packaging/published-files.ts'
import { type Candidate, toId, type Want } from './candidate.ts'
import type { ProjectReads } from './project-reads.ts'

interface CandidateParts {
  readonly reads: ProjectReads
  readonly policy: FilePolicy
  readonly constraints: ReadonlyMap<string, readonly Specifier[]>
  readonly preferred?: PreferredVersions | undefined
}

/** Makes each candidate once, so that candidates are compared by identity. */
export function createCandidates({ reads, policy, constraints, preferred }: CandidateParts) {
  const bases = new Map<PublishedFile, Candidate>()
  const unknowns = new Map<string, Candidate>()
  const withExtras = new Map<Candidate, Map<string, Candidate>>()
  const fitting = new Map<string, readonly Candidate[]>()

  function candidateOf(project: string, file: PublishedFile): Candidate {
    const { version, parsed } = file
    return getOrMake(bases, file, () => ({ ...toUnknown(project), version, parsed, file }))
  }

  function withThese(base: Candidate, extras: readonly string[]): Candidate {
    if (extras.length === 0) return base
    const byExtras = getOrMake(withExtras, base, () => new Map<string, Candidate>())
    return getOrMake(byExtras, extras.join(), () => ({ ...base, id: toId(base.project, extras), extras, base }))
  }

  /** Returns the published candidates that fit, best first. */
  async function listed(
    project: string,
    extras: readonly string[],
    wants: readonly Want[],
  ): Promise<readonly Candidate[]> {
    const files = await reads.files(project)
    if ('code' in files) return files.code === 'not-in-registry' ? [] : [unknownOf(project, extras)]
    const ranges = new Set(wants.map(({ range }) => range))
    const candidates = getOrMake(fitting, JSON.stringify([project, extras, [...ranges].sort()]), () => {
      const specifiers = [...(constraints.get(project) ?? []), ...wants.flatMap((want) => want.specifiers)]
      const first = new Set(preferred?.of(project))
      return fittingFiles(files, specifiers, { project, policy })
        .toSorted((a, b) => Number(first.has(b.version)) - Number(first.has(a.version)))
        .map((file) => withThese(candidateOf(project, file), extras))
    })
    if (candidates[0]?.file !== undefined) reads.foreseeFacts(project, candidates[0].file)
    return candidates
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

  return { candidateOf, withThese, listed, unknownOf, meetsConstraint }
}

/** Returns a candidate with an unknown version. */
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

/** Returns the value of a key; makes and keeps it the first time. */
export function getOrMake<K, V>(cache: Known<K, V>, key: K, make: () => V): V {
  let value = cache.get(key)
  if (value === undefined) {
    value = make()
    cache.set(key, value)
  }
  return value
}
