import type { TomlTable } from 'smol-toml'
import type { Unresolved } from '../../dependency-graph.ts'
import { shorten } from '../npm/json-document.ts'
import { toProjectName } from '../pip/project-name.ts'
import { type DeclaredDependencies, textIn } from '../python/declarations.ts'
import type { UvRule } from '../python/foreign-settings.ts'
import type { LockedDeclarations, UvLock } from './uv-lock.ts'

/**
 * Reports dependencies of a pyproject.toml that uv.lock was not written for: `uv sync --locked` refuses such a lock.
 * Compares names and specifiers; markers are not compared, since uv rewrites them.
 */
export function findStale(manifest: DeclaredDependencies, declared: LockedDeclarations | undefined): Unresolved[] {
  if (declared === undefined) return [toUnknown(manifest.name ?? '')]
  const { published, groups, names } = declared
  if (published === undefined) {
    const added = manifest.requirements.flatMap(({ parsed: { requirement } }) => requirement ?? [])
    return added
      .filter(({ project }) => !names.has(project))
      .map(({ project, range }) => toReport(project, range, 'asks for it'))
  }
  const isDev = ({ kind }: DeclaredDependencies['requirements'][number]) => kind === 'dev'
  const locked = { published: toRanges(published), groups: toRanges(groups) }
  const asked = manifest.requirements.flatMap((each): Unresolved[] => {
    const { requirement, kind } = each.parsed
    if (requirement === undefined) return []
    const ranges = (isDev(each) ? locked.groups : locked.published).get(requirement.project)
    const isSame = ranges !== undefined && (kind === 'from-elsewhere' || ranges.has(sorted(requirement.range)))
    return isSame ? [] : [toReport(requirement.project, requirement.range, 'asks for it')]
  })
  const known = new Set(manifest.requirements.map(({ parsed: { requirement } }) => requirement?.project))
  const dropped = [...locked.published.keys()].filter((name) => !known.has(name) && name !== manifest.name)
  const hasForeign = manifest.unresolved.length > 0
  return [...asked, ...(hasForeign ? [] : dropped.map((name) => toReport(name, '', 'does not ask for it any more')))]
}

/** Reports declarations that the lockfile records for a project without locking them: uv installs without them. */
export function findLost(declared: ReadonlyMap<string, LockedDeclarations>): Unresolved[] {
  return [...declared].flatMap(([project, { lost }]) =>
    lost.map((each): Unresolved => {
      const reason = `uv.lock declares it for ${shorten(project)}, whose dependencies lack it, as after a wrong merge; run uv lock to write them again`
      const [name, range] = [toProjectName(textIn(each, 'name') ?? ''), textIn(each, 'specifier') ?? '']
      return { name: shorten(name), range: shorten(range), code: 'not-in-lockfile', reason, requiredBy: 'uv.lock' }
    }),
  )
}

/** Reports overrides and constraints for which uv.lock was not written. */
export function findStaleRules(rules: readonly UvRule[], locked: UvLock['rules']): Unresolved[] {
  return rules.flatMap(({ list, text, project = text, range }) => {
    const ranges = toRanges(locked[list]).get(project)
    const isSame = ranges !== undefined && (range === undefined || ranges.has(sorted(range)))
    return isSame ? [] : [toReport(project, range ?? text, `has other ${list}`)]
  })
}

/** Reports a project that the lockfile does not know: uv refuses to install it. */
function toUnknown(name: string): Unresolved {
  const reason =
    'uv.lock has no entry for this project, so it was written for another one; run uv lock to bring the two together'
  return { name: shorten(name), range: '', code: 'not-in-lockfile', reason, requiredBy: 'pyproject.toml' }
}

function toReport(name: string, range: string, what: string): Unresolved {
  const reason = `pyproject.toml ${what}, and uv.lock was written for other dependencies; run uv lock to bring the two together`
  return { name: shorten(name), range: shorten(range), code: 'not-in-lockfile', reason, requiredBy: 'pyproject.toml' }
}

function toRanges(entries: readonly TomlTable[]): Map<string, Set<string>> {
  const ranges = new Map<string, Set<string>>()
  for (const entry of entries) {
    const name = toProjectName(textIn(entry, 'name') ?? '')
    ranges.set(name, (ranges.get(name) ?? new Set()).add(sorted(textIn(entry, 'specifier') ?? '')))
  }
  return ranges
}

/** Returns a text that is equal for equal specifiers; uv writes numbers without leading zeros. */
function sorted(range: string): string {
  return range
    .split(',')
    .map((part) => part.replace(/\s+/g, '').replace(/(^|[^\d])0+(?=\d)/g, '$1'))
    .filter((part) => part !== '')
    .sort()
    .join(',')
}
