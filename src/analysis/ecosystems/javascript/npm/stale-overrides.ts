import type { Unresolved } from '#analysis/dependency-graph.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { npmVersions } from '#analysis/versions/npm.ts'
import type { Dependency } from '../dependency.ts'
import { type OverrideRule, overriddenRange, ruleFor } from '../overrides.ts'
import { parseSpec } from '../spec.ts'
import type { Lock, LockNode } from './lock-tree.ts'
import { lockedAt } from './locked-package.ts'
import { lockedDependencies } from './package-lock.ts'

/** Limit of places per rule that holds below them; beyond it, the rest is not compared. */
const MAX_STATES = 500_000

interface Start {
  readonly lock: Lock
  readonly importers: readonly {
    readonly label: string
    readonly place: LockNode | undefined
    readonly dependencies: readonly Dependency[]
  }[]
  readonly overrides: OverrideRule | undefined
  findTarget(from: LockNode, name: string): LockNode | undefined
}

/** A place, and the override that holds for its dependencies. */
interface State {
  readonly place: LockNode
  readonly rule: OverrideRule | undefined
  readonly label: string
  readonly dependencies: readonly Dependency[]
}

/**
 * Reports packages whose locked version is neither in the range of their dependent nor what an override demands. npm ci
 * refuses such a lock, which was written with other overrides; npm install writes it anew.
 */
export function findStaleOverrides({ lock, importers, overrides, findTarget }: Start): Unresolved[] {
  if (lock.layout !== 'packages') return []
  const states = importers.flatMap(({ place, label, dependencies }): State[] =>
    place === undefined ? [] : [{ place, rule: overrides, label, dependencies }],
  )
  const seen = new Map<LockNode, Set<OverrideRule | undefined>>()
  const stale = new Map<string, Unresolved>()
  const own = new Set(states.map(({ place }) => place))
  for (const { place, rule, label, dependencies } of states) {
    for (const dependency of dependencies) {
      const { name, range } = dependency
      const target = findTarget(place, name)
      if (target === undefined || own.has(target)) continue
      const next = rule && ruleFor(rule, name, range)
      const demanded = next === undefined ? range : overriddenRange(next, name, range)
      const locked = lockedAt(lock, target)
      // The project's own ranges are compared with what is locked elsewhere.
      const isOwn = own.has(place) && demanded === range
      const isTrusted =
        isOwn || (dependency.kind === 'peer' && demanded === range) || target.entry?.['inBundle'] === true
      if (!isTrusted && !isMet(locked, name, demanded)) {
        stale.set(`${name} ${locked.version}`, toStale({ name, range: demanded, version: locked.version, label }))
      }
      const visited = seen.get(target) ?? new Set()
      if (visited.has(next) || states.length > MAX_STATES) continue
      seen.set(target, visited.add(next))
      const below = lockedDependencies(lock, target)
      states.push({ place: target, rule: next, label: `${locked.name}@${locked.version}`, dependencies: below })
    }
  }
  return [...stale.values()]
}

/** Returns true unless both are a version and a range of the registry that exclude each other. */
function isMet(
  { name: lockedName, version, doubt, elsewhere }: ReturnType<typeof lockedAt>,
  name: string,
  range: string,
) {
  const spec = parseSpec(name, range)
  if (doubt !== undefined || elsewhere !== undefined || spec.elsewhere !== undefined || spec.name !== lockedName)
    return true
  if (version === undefined || !npmVersions.isValid(version) || !npmVersions.isRange(spec.selector)) return true
  return npmVersions.satisfies(version, spec.selector)
}

function toStale(edge: { name: string; range: string; version: string | undefined; label: string }): Unresolved {
  const { name, range, version, label } = edge
  const reason = `The lockfile holds ${version}, which neither the range nor the overrides of package.json allow; it is tested, but npm ci refuses it. Run npm install to bring the two files together`
  return { name, range: withoutCredentials(range), code: 'not-in-lockfile', reason, requiredBy: label }
}
