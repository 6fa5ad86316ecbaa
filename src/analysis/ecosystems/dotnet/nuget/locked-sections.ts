import type { Unresolved } from '#analysis/dependency-graph.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { nugetVersions, parseNuGetRange } from '#analysis/versions/nuget.ts'
import type { LockedPackage, Requirement } from '../../locked/locked-project.ts'
import type { LockEntry, LockSection } from './lock-sections.ts'

/** The content of all sections of a lock together. */
export interface SectionsGraph {
  readonly packages: ReadonlyMap<string, LockedPackage>
  readonly direct: readonly Requirement[]
  readonly unresolved: readonly Unresolved[]
}

const MAX_ENTRIES = 2_000_000

/**
 * Merges the sections of all frameworks and runtimes: a version of a package is one package, which requires what it
 * requires in any of them.
 */
export function mergeSections(sections: readonly LockSection[], lockName: string): SectionsGraph {
  const packages = new Map<string, LockedPackage & { readonly requires: Requirement[] }>()
  const direct = new Map<string, Requirement>()
  const unresolved = new Map<string, Unresolved>()
  const seen = new Set<string>()
  let count = 0
  for (const section of sections) {
    const entries = entriesOf(section, sections)
    for (const name of section.lacking) direct.set(name, { key: undefined, name, range: '', kind: 'prod' })
    count += entries.size
    if (count > MAX_ENTRIES) throw new Unreadable('The sections of the lockfile have too many entries together')
    for (const entry of entries.values()) {
      const key = keyOf(entry)
      const { name, version } = entry
      const locked = packages.get(key) ?? {
        name,
        version,
        requires: [],
        ...(entry.type === 'project' && { isProject: true as const }),
      }
      packages.set(key, locked)
      for (const [dependency, range] of entry.dependencies) {
        const to = entries.get(dependency.toLowerCase())
        const edge = `${key}\n${to === undefined ? dependency : keyOf(to)}\n${range}`
        if (seen.has(edge)) continue
        seen.add(edge)
        locked.requires.push({ key: to && keyOf(to), name: dependency, range, kind: 'prod' })
      }
      if (entry.type === 'transitive') continue
      const range = entry.requested ?? ''
      direct.set(`${key}\n${range}`, { key, name, range, kind: entry.isDev ? 'dev' : 'prod' })
      if (isUnfit(entry)) unresolved.set(key, toUnfit(entry, lockName))
    }
  }
  return { packages, direct: [...direct.values()], unresolved: [...unresolved.values()] }
}

/** Returns the entries that hold in a section: the section of a runtime replaces those of its framework. */
function entriesOf(section: LockSection, sections: readonly LockSection[]): ReadonlyMap<string, LockEntry> {
  const whole = section.isPart && sections.find(({ isPart, framework }) => !isPart && framework === section.framework)
  return whole ? new Map([...whole.entries, ...section.entries]) : section.entries
}

function keyOf({ type, name, version }: LockEntry): string {
  return type === 'project' ? `project ${name.toLowerCase()}` : `${name}@${version}`.toLowerCase()
}

/** Returns true for a version above the range that the project declared; `lowerBounds` judges the others. */
function isUnfit({ version, requested = '' }: LockEntry): boolean {
  const isAbove = nugetVersions.isValid(version) && lowerBounds.satisfies(version, requested)
  return isAbove && !nugetVersions.satisfies(version, requested)
}

function toUnfit({ name, version, requested = '' }: LockEntry, lockName: string): Unresolved {
  const reason = `${lockName} holds ${version}, which the requirement does not allow; run dotnet restore --force-evaluate`
  return { name, range: requested, code: 'lockfile-contradiction', reason, requiredBy: lockName }
}

/**
 * The versions of NuGet for requirements of packages: a version above the highest one that a package accepts is
 * installed with a warning (NU1608), one below the lowest is an error (NU1605).
 */
export const lowerBounds = {
  isValid: nugetVersions.isValid,
  isRange: nugetVersions.isRange,
  satisfies(version: string, range: string): boolean {
    const bounds = parseNuGetRange(range)
    return bounds !== undefined && (bounds.min === undefined || nugetVersions.compare(version, bounds.min) >= 0)
  },
}
