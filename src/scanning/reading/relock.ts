import type { Package, Unresolved } from '#analysis/dependency-graph.ts'
import { isLockfile } from '#analysis/discovery/projects-in-tree/lockfiles.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Ecosystem, Manifest, PreferredVersions, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import type { Registries } from '#analysis/registries/registries.ts'

/** A test of what the next lockfile of a project would hold. */
export interface Relock {
  /** Names of packages whose locked versions are not kept. */
  readonly renew: readonly string[]
}

interface Context {
  readonly ecosystem: Ecosystem
  readonly registries: Registries
  readonly options: ReadOptions
}

interface File {
  /** Relative to the folder of the target. */
  readonly path: string
  readonly text: string
}

/** Tools that change what the manifest does not allow, and keep the rest of their lockfile. */
const KEEPING = ['npm', 'yarn', 'pnpm', 'bun', 'uv', 'poetry', 'rubygems']
/** Readers of a manifest whose own reader requires the lockfile. */
const OPEN_READERS: Readonly<Record<string, string>> = { uv: 'pyproject', poetry: 'pyproject' }

/**
 * Resolves a project as its tool does when it renews the lockfile: locked versions stay where the manifests allow them.
 * Reads a project without a lockfile as usual, but resolves requirements files that a tool locked.
 */
export async function readRelocked(manifest: Manifest, { renew }: Relock, context: Context): Promise<Reading> {
  const { ecosystem, registries, options } = context
  const { places } = manifest
  if (places === undefined) return ecosystem.read(manifest, registries, options)
  const slash = places.target.lastIndexOf('/') + 1
  const files = [
    { path: places.target.slice(slash), text: manifest.target },
    ...manifest.additional.map((text, at) => ({ path: places.additional[at]!, text })),
  ]
  const toManifest = ([first, ...others]: readonly File[]): Manifest => ({
    target: first!.text,
    additional: others.map(({ text }) => text),
    places: {
      ...places,
      target: `${places.target.slice(0, slash)}${first!.path}`,
      additional: others.map(({ path }) => path),
    },
  })
  const reader = getEcosystem(OPEN_READERS[ecosystem.id] ?? ecosystem.id)
  const open = manifestsOf(files)
  // The reader of a pyproject.toml alone reads no workspace.
  if (
    open === undefined ||
    (reader.id === 'pyproject' && open.filter(({ path }) => path.endsWith('pyproject.toml')).length > 1)
  ) {
    return ecosystem.read(manifest, registries, { ...options, ...(ecosystem.id === 'pip' && { preferred: NOTHING }) })
  }
  const locks = files.filter(({ path }) => isLockfile(path))
  const locked = KEEPING.includes(ecosystem.id)
    ? await readLocked(toManifest(ecosystem.id === 'npm' ? locks : files), context)
    : undefined
  const preferred = locked === undefined ? undefined : toPreferred(locked, renew, ecosystem.id)
  const reading = await reader.read(toManifest(open), registries, { ...options, ...(preferred && { preferred }) })
  return locked === undefined ? reading : withLockedPeers(reading, locked, ecosystem)
}

/** Reports peers that no longer fit packages which no registry knows: the lockfile tells what those require. */
function withLockedPeers(reading: Reading, { graph: { nodes } }: Reading, { versions }: Ecosystem): Reading {
  const unknown = new Set(reading.unresolved.filter(({ code }) => NO_ANSWER.includes(code)).map(({ name }) => name))
  const dependents = nodes.filter(({ package: { name } }) => unknown.has(name))
  const conflicts = dependents.flatMap(({ package: { name, version }, edges }) =>
    edges.flatMap(({ kind, to, range }): Unresolved[] => {
      const peer = nodes[to]!.package.name
      const current = reading.graph.nodes.filter((node) => node.package.name === peer)
      const isMet = current.some((node) => versions.satisfies(node.package.version, range))
      if (kind !== 'peer' || current.length === 0 || isMet) return []
      const reason = 'The lockfile holds a package that does not allow this peer; npm refuses such a project'
      return [{ name: peer, range, code: 'no-matching-version', reason, requiredBy: `${name}@${version}` }]
    }),
  )
  return { ...reading, unresolved: [...reading.unresolved, ...conflicts] }
}

const NO_ANSWER: readonly Unresolved['code'][] = ['not-in-registry', 'registry-unreachable']

/** Returns the manifests, that of the folder first; undefined without a lockfile beside them. */
function manifestsOf(files: readonly File[]): readonly File[] | undefined {
  const manifests = files.filter(({ path }) => !isLockfile(path))
  const first = manifests.find(({ path }) => !path.includes('/')) ?? manifests[0]
  if (first === undefined || manifests.length === files.length) return undefined
  return [first, ...manifests.filter((manifest) => manifest !== first)]
}

/** Returns undefined for a lockfile that its tool would write from the beginning. */
async function readLocked(manifest: Manifest, { ecosystem, registries, options }: Context) {
  try {
    return await ecosystem.read(manifest, registries, { ...options, includeDev: true })
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

const NOTHING: PreferredVersions = { direct: [], of: () => [], by: () => undefined }

function toPreferred({ graph: { nodes } }: Reading, renew: readonly string[], id: string): PreferredVersions {
  const versions = new Map<string, string[]>()
  const byRange = new Map<string, string>()
  const toKey = (name: string, range: string) => JSON.stringify([name, range])
  const isKept = ({ name }: Package) => !renew.includes(name)
  for (const { package: lockedPackage } of nodes.slice(1)) {
    if (isKept(lockedPackage))
      versions.set(lockedPackage.name, [...(versions.get(lockedPackage.name) ?? []), lockedPackage.version])
  }
  for (const { to, range } of nodes.flatMap(({ edges }) => edges)) {
    const lockedPackage = nodes[to]!.package
    if (isKept(lockedPackage)) byRange.set(toKey(lockedPackage.name, range), lockedPackage.version)
  }
  const direct = id === 'npm' ? nodes[0]!.edges.map(({ to }) => nodes[to]!.package) : []
  return {
    direct: direct.filter(isKept),
    of: (name) => versions.get(name) ?? [],
    by: (name, range) => byRange.get(toKey(name, range)),
  }
}
