import type { DependencyKind, Unresolved } from '../../dependency-graph.ts'
import type { VersionMetadata } from '../../registries/npm.ts'
import { isObject, type JsonObject, objectAt, ownValue, rangesAt, type Where } from './json-document.ts'
import { withoutCredentials } from './spec.ts'

/** One name that a package.json, a lockfile's entry or a registry document asks for. */
export interface Dependency {
  readonly name: string
  readonly range: string
  readonly kind: DependencyKind
  /** True when npm installs the dependent even if this is missing. */
  readonly mayBeAbsent: boolean
  /** Whether it lies in the archive of the dependent, in a version that only the archive tells. */
  readonly isBundled?: true
  /** The range in `dependencies` or `optionalDependencies`, where `devDependencies` give another. */
  readonly rangeWithoutDev?: string
}

/**
 * What a published package asks for. One entry per name; as in npm an optional entry wins over a plain one, and both
 * over a peer.
 */
export function publishedDependencies(object: JsonObject, where: Where): Dependency[] {
  return [...collect(object, where).values()]
}

/**
 * Returns the dependencies of a project: as above with its devDependencies. As in npm, the range of a devDependency
 * wins over that of any other member. Such a name stays a production dependency where it is needed in production, too
 * (npm calls it dev, and leaves it out of an install without dev dependencies); a name that is dev and peer is dev,
 * for the peer is the consumer's to provide.
 */
export function projectDependencies(object: JsonObject, where: Where): Dependency[] {
  const found = collect(object, where)
  for (const [name, range] of rangesAt(object, 'devDependencies', where)) {
    const known = found.get(name)
    if (known === undefined || known.kind === 'peer') found.set(name, { name, range, kind: 'dev', mayBeAbsent: false })
    else if (known.range !== range) {
      found.set(name, { ...known, range, mayBeAbsent: false, rangeWithoutDev: known.range })
    }
  }
  return [...found.values()]
}

/** The same for what a registry says of a version. */
export function metadataDependencies(version: VersionMetadata): Dependency[] {
  const found = new Map<string, Dependency>()
  for (const [name, range] of Object.entries(version.peerDependencies)) {
    found.set(name, { name, range, kind: 'peer', mayBeAbsent: version.optionalPeers.includes(name) })
  }
  const bundled = new Set(version.bundled)
  const holding = (name: string) => (bundled.has(name) ? ({ isBundled: true } as const) : {})
  for (const [name, range] of Object.entries(version.dependencies)) {
    found.set(name, { name, range, kind: 'prod', mayBeAbsent: false, ...holding(name) })
  }
  for (const [name, range] of Object.entries(version.optionalDependencies)) {
    found.set(name, { name, range, kind: 'optional', mayBeAbsent: true, ...holding(name) })
  }
  return [...found.values()]
}

/** That a bundled package is told apart: it is resolved like others, which is a guess. */
export function toBundledProblem({ name, range }: Dependency, requiredBy: string): Unresolved {
  const reason = `It is bundled in ${requiredBy}, in a version that only the archive tells`
  return { name, range: withoutCredentials(range), code: 'not-from-registry', reason, requiredBy }
}

function collect(object: JsonObject, where: Where): Map<string, Dependency> {
  const found = new Map<string, Dependency>()
  const peers = rangesAt(object, 'peerDependencies', where)
  if (peers.length > 0) {
    const about = objectAt(object, 'peerDependenciesMeta', where) ?? {}
    for (const [name, range] of peers) {
      found.set(name, { name, range, kind: 'peer', mayBeAbsent: isOptionalPeer(about, name) })
    }
  }
  for (const [name, range] of rangesAt(object, 'dependencies', where)) {
    found.set(name, { name, range, kind: 'prod', mayBeAbsent: false })
  }
  for (const [name, range] of rangesAt(object, 'optionalDependencies', where)) {
    found.set(name, { name, range, kind: 'optional', mayBeAbsent: true })
  }
  return found
}

function isOptionalPeer(about: JsonObject, name: string): boolean {
  const entry = ownValue(about, name)
  return isObject(entry) && ownValue(entry, 'optional') === true
}
