import type { DependencyGraph, Package } from '../dependency-graph.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import { majorOf } from './version-lines.ts'

/** Scopes and hosts of packages that many publishers release separately. */
const SHARED = new Set([
  '@types',
  'github.com',
  'gitlab.com',
  'golang.org/x',
  'google.golang.org',
  'gopkg.in',
  'org.apache.commons',
])

/**
 * Returns the other direct dependencies at the same version that are published together with one: those of its npm
 * scope, of its Maven group or a group beside it, or of its Go repository.
 */
export function listFamily({ nodes }: DependencyGraph, { name, version }: Package): Package[] {
  const family = familyOf(name)
  if (family === undefined) return []
  const direct = nodes[0]!.edges.map(({ to }) => nodes[to]!.package)
  const members = direct.filter(
    (member) => member.name !== name && member.version === version && familyOf(member.name) === family,
  )
  return [...new Map(members.map((member) => [member.name, member])).values()]
}

/** Returns the version to which a member moves: the same one, else the newest below it of its major version. */
export function versionTogether(
  published: readonly string[],
  version: string,
  { compare }: VersionScheme,
): string | undefined {
  const fitting = published.filter(
    (candidate) => majorOf(candidate) === majorOf(version) && compare(candidate, version) <= 0,
  )
  return fitting.toSorted(compare).at(-1)
}

function familyOf(name: string): string | undefined {
  const separator = name.includes(':') ? ':' : '/'
  const parts = name.split(separator)
  if (parts.length === 1) return undefined
  // Groups such as `com.fasterxml.jackson.core` and `com.fasterxml.jackson.datatype` are released together.
  const group = parts[0]!.split('.').slice(0, 3).join('.')
  if (separator === ':') return SHARED.has(group) ? undefined : group
  if (name.startsWith('@')) return SHARED.has(parts[0]!) ? undefined : parts[0]
  if (SHARED.has(parts[0]!)) return parts[0]!.endsWith('.com') ? parts.slice(0, 3).join('/') : undefined
  return SHARED.has(parts.slice(0, 2).join('/')) ? undefined : parts[0]
}
