import type { Dependency, EffectivePom } from '../effective-pom.ts'
import type { Exclusion } from '../pom.ts'
import { keyOf } from '../profiles.ts'

/** The effect of dependency management in published POMs. */
export interface ManagementRules {
  /** A package's managed versions fill gaps of its own dependencies, override all of them, or override everything below. */
  readonly reach: 'gaps' | 'own' | 'below'
  /** Managed exclusions count beside those of the dependency; otherwise only where the dependency has none. */
  readonly exclusions: 'added' | 'inherited'
}

/** Management by the packages on the path; higher ones win. Equal ones are one object; undefined for none. */
export type Management = { readonly entries: Entries; readonly under: Management; readonly id: number } | undefined

interface Entry {
  /** Empty if the package itself requires another version. */
  readonly version: string
  /** The version as written, which counts below packages that also manage the module. */
  readonly written: string
  readonly exclusions: readonly Exclusion[]
}

type Entries = ReadonlyMap<string, Entry>

export interface Managements {
  /** Adds the package's management for its dependencies. */
  add(above: Management, pom: EffectivePom): Management
}

/**
 * Returns the rules of the resolver in an sbt version: Ivy before 1.3, then Coursier. 1.10.6 is the first with Coursier
 * 2.1.19, which adds exclusions, and the only one that leaves its dependency overrides enabled. An unknown version counts
 * as new.
 */
export function managementRulesOf(sbtVersion = '2'): ManagementRules {
  const [major = 1, minor = 0, patch = 0] = sbtVersion.split(/[.-]/).map(Number)
  if (major < 1 || (major === 1 && minor < 3)) return { reach: 'gaps', exclusions: 'inherited' }
  if (major === 1 && (minor < 10 || (minor === 10 && patch < 6))) return { reach: 'own', exclusions: 'inherited' }
  return { reach: major === 1 && minor === 10 && patch === 6 ? 'below' : 'own', exclusions: 'added' }
}

/**
 * Implements Coursier's dependency overrides: a package's management applies to everything below it, except for
 * versions that its own dependencies state differently.
 */
export function createManagements(): Managements {
  const interned = new Map<string, NonNullable<Management>>()
  const contents = new Map<string, Entries>()
  const ofPoms = new WeakMap<EffectivePom, { readonly entries: Entries; readonly key: string }>()

  function entriesOf(pom: EffectivePom) {
    const known = ofPoms.get(pom)
    if (known !== undefined) return known
    const read = readEntries(pom)
    const key = JSON.stringify([...read].sort(([a], [b]) => (a < b ? -1 : 1)))
    const entries = contents.get(key) ?? read
    contents.set(key, entries)
    const made = { entries, key }
    ofPoms.set(pom, made)
    return made
  }

  return {
    add(above, pom) {
      const { entries, key } = entriesOf(pom)
      if (entries.size === 0 || holds(above, entries)) return above
      const name = `${above?.id ?? ''}\n${key}`
      const known = interned.get(name) ?? { entries, under: above, id: interned.size }
      interned.set(name, known)
      return known
    },
  }
}

function holds(management: Management, entries: Entries): boolean {
  for (let at = management; at !== undefined; at = at.under) if (at.entries === entries) return true
  return false
}

function readEntries(pom: EffectivePom): Entries {
  const written = new Map<string, Set<string>>()
  for (const each of pom.dependencies.filter(isPassedOn)) {
    const key = keyOf(each)
    if (each.version !== undefined) written.set(key, (written.get(key) ?? new Set()).add(each.version))
  }
  const entries = [...pom.listManaged()].flatMap(([key, each]): [string, Entry][] => {
    const version = each.version ?? ''
    const isOtherwise = [...(written.get(key) ?? [])].some((one) => one !== version)
    if (!isPassedOn(each) || (version === '' && each.exclusions.length === 0)) return []
    return [[key, { version: isOtherwise ? '' : version, written: version, exclusions: each.exclusions }]]
  })
  return new Map(entries)
}

function isPassedOn({ scope }: Dependency): boolean {
  return scope === undefined || scope === 'compile' || scope === 'runtime'
}

/** Returns the management of a dependency by ancestors; without a version there, its own counts. */
export function findManagedAbove(
  management: Management,
  dependency: Dependency,
): { readonly version: string | undefined; readonly exclusions: readonly Exclusion[] } {
  const key = keyOf(dependency)
  const ways: Entry[] = []
  for (let at = management; at !== undefined; at = at.under) {
    const entry = at.entries.get(key)
    if (entry !== undefined) ways.unshift(entry)
  }
  const version = ways.map((each, index) => (index === 0 ? each.version : each.written)).find((each) => each !== '')
  return { version, exclusions: ways.flatMap(({ exclusions }) => exclusions) }
}
