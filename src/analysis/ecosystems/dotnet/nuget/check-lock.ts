import type { Unresolved } from '#analysis/dependency-graph.ts'
import { nugetVersions, parseNuGetRange } from '#analysis/versions/nuget.ts'
import type { Requirement } from '../../locked/locked-project.ts'
import type { LockSection } from './lock-sections.ts'
import type { EvaluatedProject, PackageDeclaration } from './package-items.ts'

interface LockCheck {
  /** Declared packages that the lock lacks. */
  readonly missing: readonly Requirement[]
  /** Names of packages in lower case that every declaration marks as for development. */
  readonly devNames: ReadonlySet<string>
  readonly unresolved: readonly Unresolved[]
}

/**
 * Compares a lock with the project as `dotnet restore --locked-mode` does (NU1004): frameworks, direct packages and
 * their ranges. Declarations under conditions that the files do not decide are not compared.
 */
export function checkLock(
  project: EvaluatedProject,
  sections: readonly LockSection[],
  { lockName, manifestName }: { readonly lockName: string; readonly manifestName: string },
): LockCheck {
  const missing: Requirement[] = []
  const unresolved: Unresolved[] = []
  const contradict = (name: string, range: string, what: string) =>
    unresolved.push({
      name,
      range,
      code: 'lockfile-contradiction',
      reason: `${what}; run dotnet restore --force-evaluate`,
      requiredBy: manifestName,
    })
  for (const [moniker, declarations] of project.frameworks) {
    const section = sections.find(
      ({ isPart, framework }) => !isPart && (moniker === '' || toMoniker(framework) === toMoniker(moniker)),
    )
    if (section === undefined) {
      if (!moniker.includes('$('))
        contradict(
          project.name || manifestName,
          moniker,
          `${lockName} has no section for the target framework ${moniker}`,
        )
      continue
    }
    for (const { name, range = '', undecided, isDev } of declarations) {
      if (undecided.length > 0 || name.includes('$(')) continue
      const entry = section.entries.get(name.toLowerCase())
      if (entry?.type !== 'direct') missing.push({ key: undefined, name, range, kind: isDev ? 'dev' : 'prod' })
      else if (range !== '' && entry.requested !== undefined && !isSameRange(range, entry.requested))
        contradict(entry.name, range, `${lockName} was written for ${entry.requested}`)
    }
  }
  return { missing, devNames: devNamesOf(project), unresolved }
}

export function devNamesOf({ frameworks }: EvaluatedProject): Set<string> {
  const all = [...frameworks.values()].flat()
  const lowerName = ({ name }: PackageDeclaration) => name.toLowerCase()
  const used = new Set(all.filter(({ isDev }) => !isDev).map(lowerName))
  return new Set(all.map(lowerName).filter((name) => !used.has(name)))
}

function isSameRange(a: string, b: string): boolean {
  const [left, right] = [parseNuGetRange(a), parseNuGetRange(b)]
  if (left === undefined || right === undefined) return a.trim() === b.trim()
  const isSameBound = (one: string | undefined, other: string | undefined) =>
    one === undefined || other === undefined ? one === other : nugetVersions.compare(one, other) === 0
  return (
    isSameBound(left.min, right.min) &&
    isSameBound(left.max, right.max) &&
    left.isFloating === right.isFloating &&
    (left.min === undefined || left.includesMin === right.includesMin) &&
    (left.max === undefined || left.includesMax === right.includesMax)
  )
}

/** Returns the short name of a framework without the version of its platform. */
function toMoniker(framework: string): string {
  const text = framework.toLowerCase().trim()
  const [, family, version = ''] = /^\.?(net(?:coreapp|standard|framework)?),?(?:version=)?v?([\d.]+)/.exec(text) ?? []
  if (family === undefined) return text
  if (family === 'netcoreapp' && Number.parseInt(version, 10) >= 5) return `net${version}`
  if (family === 'netcoreapp' || family === 'netstandard') return `${family}${version}`
  const platform = /-[a-z]+/.exec(text)?.[0] ?? ''
  return Number.parseInt(version, 10) >= 5 && version.includes('.')
    ? `net${version}${platform}`
    : `net${version.replaceAll('.', '')}`
}
