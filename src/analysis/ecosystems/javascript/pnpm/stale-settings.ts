import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { nameProject, type PackageJson } from '../package-json.ts'
import type { ResolutionRules } from './resolve.ts'

/** The settings for which a lock was written. */
interface LockedSettings {
  readonly overrides: Iterable<readonly [selector: string, value: string]>
  catalogRange(name: string, range: string): string
}

interface SentSettings {
  readonly project: PackageJson | undefined
  readonly members: readonly PackageJson[]
  readonly rules: ResolutionRules
  /** True if settings that were not sent do not exist. */
  readonly hasAllSettings: boolean
}

/**
 * Reports overrides and catalogs for which the lock was not written: pnpm and Bun refuse such a lock in CI, and resolve
 * again elsewhere.
 */
export function findStaleSettings(lock: LockedSettings, sent: SentSettings): Unresolved[] {
  const { project, members, rules, hasAllSettings } = sent
  if (project === undefined) return []
  const { lockName, catalogs, overrides } = rules
  const report = (name: string, range: string, what: string): Unresolved => ({
    name: shorten(name),
    range: shorten(withoutCredentials(range)),
    code: 'not-in-lockfile',
    reason: `${lockName} was written for ${what}; what it holds is tested. Install to bring the files together`,
    requiredBy: nameProject(project),
  })
  const inCatalog = (name: string, range: string) =>
    range.startsWith('catalog:')
      ? catalogs.get(range.slice('catalog:'.length).trim() || 'default')?.get(name)
      : undefined
  const locked = new Map(lock.overrides)
  const meant = ({ name, value }: (typeof overrides)[number]) => {
    const reference = value.startsWith('$') ? value.slice(1) : undefined
    const direct = project.dependencies.find((dependency) => dependency.name === reference)?.range
    return direct ?? inCatalog(name, value) ?? value
  }
  const added = overrides.filter(
    (override) => ![override.value, meant(override)].includes(locked.get(override.selector) ?? ''),
  )
  const selectors = new Set(overrides.map(({ selector }) => selector))
  const dropped = hasAllSettings ? [...locked].filter(([selector]) => !selectors.has(selector)) : []
  const ranges = new Map(
    [project, ...members].flatMap(({ dependencies }) =>
      dependencies.map(({ name, range }) => [`${name} ${range}`, { name, range }] as const),
    ),
  )
  const changed = [...ranges.values()].flatMap(({ name, range }) => {
    const now = inCatalog(name, range)
    const before = lock.catalogRange(name, range)
    return now === undefined || before === range || before === now ? [] : [{ name, now, before }]
  })
  return [
    ...added.map(({ selector, value }) => report(selector, value, 'other overrides')),
    ...dropped.map(([selector, value]) => report(selector, value, 'this override, which no file has any more')),
    ...changed.map(({ name, now, before }) => report(name, now, `${shorten(before)} of its catalog`)),
  ]
}
