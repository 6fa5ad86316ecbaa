import {
  isObject,
  type JsonObject,
  objectAt,
  ownValue,
  rangesAt,
  type Where,
} from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { DependencyKind, Unresolved } from '../../dependency-graph.ts'
import type { VersionMetadata } from '../../registries/npm.ts'

/** A dependency by name in a package.json, a lockfile entry or a registry document. */
export interface Dependency {
  readonly name: string
  readonly range: string
  readonly kind: DependencyKind
  /** True if npm installs the dependent even without it. */
  readonly mayBeAbsent: boolean
  /** True if it is inside the dependent's archive, with a version known only from there. */
  readonly isBundled?: true
  /** The range in `dependencies` or `optionalDependencies` if `devDependencies` have another. */
  readonly rangeWithoutDev?: string
}

/**
 * Returns the dependencies of a published package, one entry per name: as in npm, optional entries win over plain ones,
 * and both over peers.
 */
export function publishedDependencies(object: JsonObject, where: Where): Dependency[] {
  // Most packages have dependencies of a single kind, so no name can occur twice.
  const isOfOneKind = !Object.hasOwn(object, 'peerDependencies') && !Object.hasOwn(object, 'optionalDependencies')
  return isOfOneKind ? plainDependencies(object, where) : [...collect(object, where).values()]
}

/**
 * Returns the dependencies of a project, devDependencies included. As in npm, a devDependency's range wins over other
 * members. Such a name stays a production dependency if production needs it too (npm calls it dev, and omits it without
 * dev dependencies); a dev and peer name is dev, since the consumer provides peers.
 */
export function projectDependencies(object: JsonObject, where: Where): Dependency[] {
  const dependencies = collect(object, where)
  for (const [name, range] of rangesAt(object, 'devDependencies', where)) {
    const existing = dependencies.get(name)
    if (existing === undefined || existing.kind === 'peer')
      dependencies.set(name, { name, range, kind: 'dev', mayBeAbsent: false })
    else if (existing.range !== range) {
      dependencies.set(name, { ...existing, range, mayBeAbsent: false, rangeWithoutDev: existing.range })
    }
  }
  return [...dependencies.values()]
}

/** Returns the same for a version in registry metadata. */
export function metadataDependencies(version: VersionMetadata): Dependency[] {
  const dependencies = new Map<string, Dependency>()
  for (const [name, range] of Object.entries(version.peerDependencies)) {
    dependencies.set(name, { name, range, kind: 'peer', mayBeAbsent: version.optionalPeers.includes(name) })
  }
  const bundled = new Set(version.bundled)
  const holding = (name: string) => (bundled.has(name) ? ({ isBundled: true } as const) : {})
  for (const [name, range] of Object.entries(version.dependencies)) {
    dependencies.set(name, { name, range, kind: 'prod', mayBeAbsent: false, ...holding(name) })
  }
  for (const [name, range] of Object.entries(version.optionalDependencies)) {
    dependencies.set(name, { name, range, kind: 'optional', mayBeAbsent: true, ...holding(name) })
  }
  return [...dependencies.values()]
}

/** Reports a bundled package, which is resolved like others: its real version is a guess. */
export function toBundledProblem({ name, range }: Dependency, requiredBy: string): Unresolved {
  const reason = `It is bundled in ${requiredBy}, and only the archive contains its version`
  return { name, range: withoutCredentials(range), code: 'not-from-registry', reason, requiredBy }
}

function collect(object: JsonObject, where: Where): Map<string, Dependency> {
  const dependencies = new Map<string, Dependency>()
  const peers = rangesAt(object, 'peerDependencies', where)
  if (peers.length > 0) {
    const about = objectAt(object, 'peerDependenciesMeta', where) ?? {}
    for (const [name, range] of peers) {
      dependencies.set(name, { name, range, kind: 'peer', mayBeAbsent: isOptionalPeer(about, name) })
    }
  }
  for (const dependency of plainDependencies(object, where)) dependencies.set(dependency.name, dependency)
  for (const [name, range] of rangesAt(object, 'optionalDependencies', where)) {
    dependencies.set(name, { name, range, kind: 'optional', mayBeAbsent: true })
  }
  return dependencies
}

function plainDependencies(object: JsonObject, where: Where): Dependency[] {
  return rangesAt(object, 'dependencies', where).map(([name, range]) => ({
    name,
    range,
    kind: 'prod',
    mayBeAbsent: false,
  }))
}

function isOptionalPeer(about: JsonObject, name: string): boolean {
  const entry = ownValue(about, name)
  return isObject(entry) && ownValue(entry, 'optional') === true
}
