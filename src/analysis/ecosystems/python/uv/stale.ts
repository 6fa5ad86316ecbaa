import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { type DeclaredDependencies, textIn } from '../declarations.ts'
import { toProjectName } from '../packaging/project-name.ts'
import type { UvRule } from '../uv-rules.ts'
import type { ComparedRequirement, CompareRequirements } from './requirement-sets.ts'
import type { LockedDeclarations, UvLock } from './uv-lock.ts'

/**
 * Reports dependencies of a pyproject.toml that uv.lock was not written for: `uv sync --locked` refuses such a lock.
 * Compares names, extras, specifiers and the environments in which they apply.
 */
export function findStale(
  manifest: DeclaredDependencies,
  declared: Pick<LockedDeclarations, 'published' | 'groups' | 'names'> | undefined,
  { compare, hasRulesForGroups, isAtRoot }: Comparison,
): Unresolved[] {
  if (declared === undefined) return [toUnknown(manifest.name ?? '')]
  const { published, groups, names } = declared
  if (published === undefined) {
    const added = manifest.requirements.flatMap(({ parsed: { requirement } }) => requirement ?? [])
    return added
      .filter(({ project }) => !names.has(project))
      .map(({ project, range }) => toReport(project, range, 'requires it'))
  }
  const fromElsewhere = new Set(
    [...published, ...groups].flatMap(({ name, range }) => (range === undefined ? name : [])),
  )
  // The root of a workspace names sources for all members.
  const hasRootSource = ({ name }: ComparedRequirement) => !isAtRoot && fromElsewhere.has(name)
  const requirements = manifest.requirements
    .flatMap(toCompared)
    .map((requirement) => (hasRootSource(requirement) ? { ...requirement, range: undefined } : requirement))
  // uv adds the Python of a group to the markers of its dependencies.
  const plain = (list: readonly ComparedRequirement[]) =>
    hasRulesForGroups ? list.map((requirement) => ({ ...requirement, marker: undefined })) : list
  const isOwn = ({ name }: ComparedRequirement) => name === manifest.name
  const different = [
    ...compare(
      requirements.filter(({ isDev }) => !isDev),
      published.filter((requirement) => !isOwn(requirement)),
    ),
    ...compare(plain(requirements.filter(({ isDev }) => isDev)), plain(groups.filter((group) => !isOwn(group)))),
  ]
  const isComplete = manifest.unresolved.length === 0
  return different
    .filter(({ side }) => side === 'asked' || isComplete)
    .map(({ name, range, side }) => toReport(name, range, side === 'asked' ? 'requires it' : 'no longer requires it'))
}

export interface Comparison {
  readonly compare: CompareRequirements
  /** True if groups of the pyproject.toml have a Python of their own. */
  readonly hasRulesForGroups: boolean
  /** True if the pyproject.toml is the workspace's root, or has none. */
  readonly isAtRoot: boolean
}

function toCompared({ parsed, kind }: DeclaredDependencies['requirements'][number]) {
  const { requirement } = parsed
  if (requirement === undefined) return []
  const { project: name, extras, marker } = requirement
  const range = parsed.kind === 'from-elsewhere' ? undefined : requirement.range
  return [{ name, extras, range, marker, isOptional: kind === 'optional', isDev: kind === 'dev' }]
}

/** Reports declarations that the lockfile records for a project without locking them: uv installs without them. */
export function findLost(declared: ReadonlyMap<string, LockedDeclarations>): Unresolved[] {
  return [...declared].flatMap(([project, { lost }]) =>
    lost.map((table): Unresolved => {
      const reason = `uv.lock declares it for ${shorten(project)}, whose dependencies lack it, as after a wrong merge; run uv lock to write them again`
      const [name, range] = [toProjectName(textIn(table, 'name') ?? ''), textIn(table, 'specifier') ?? '']
      return { name: shorten(name), range: shorten(range), code: 'not-in-lockfile', reason, requiredBy: 'uv.lock' }
    }),
  )
}

interface RuleContext {
  readonly compare: CompareRequirements
  readonly packages: UvLock['packages']
  /** True if the rules of the lock that are not among the given ones do not exist. */
  readonly isWhole: boolean
}

/** Reports overrides, constraints, excludes and metadata for which uv.lock was not written. */
export function findStaleRules(
  rules: readonly UvRule[],
  locked: readonly UvRule[],
  { compare, packages, isWhole }: RuleContext,
): Unresolved[] {
  const rulesByName = new Map([...locked, ...rules].map((rule) => [`${rule.list} ${rule.subject}`, rule]))
  // uv keeps a lock if a new rule is about packages that it does not hold.
  const isMeant = ({ list, subject, needs }: UvRule) =>
    needs === undefined ||
    locked.some((rule) => rule.list === list && rule.subject === subject) ||
    packages.some(({ name, version }) => name === needs.name && [undefined, version].includes(needs.version))
  const inForm = (rule: UvRule): ComparedRequirement => ({ ...rule, name: `${rule.list} ${rule.subject}` })
  const reports = compare(rules.filter(isMeant).map(inForm), locked.map(inForm)).flatMap(({ name, side }) => {
    const { list, project, text, range } = rulesByName.get(name)!
    if (side === 'locked' && !isWhole) return []
    return [toReport(project ?? text, range ?? text, `has other ${list}`)]
  })
  return [...new Map(reports.map((report) => [`${report.name} ${report.reason}`, report])).values()]
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
