import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { cargoVersions } from '#analysis/versions/cargo.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '../ecosystem.ts'
import type { LockedPackage, Requirement } from '../locked/locked-project.ts'
import { readLocked } from '../locked/read-locked.ts'
import { readUnlocked } from '../locked/read-unlocked.ts'
import { type CargoLock, type LockEntry, parseCargoLock } from './cargo-lock.ts'
import { type CargoManifest, type CrateDependency, parseManifests } from './cargo-toml.ts'
import { describeDifference, describeSource, isFromRegistry, isSameSource, toCommit } from './crate-source.ts'

/** Adds what manifests changed to the lock, and keeps the other versions. */
const UPDATE = 'cargo update --workspace'

/** Reads a Cargo.lock with the manifests of its workspace, or manifests alone. */
export function readProject(manifest: Manifest, options: ReadOptions): Reading {
  const files = identifyFiles('cargo', manifest)
  const [lockFile, second] = files.filter(({ kind }) => kind === 'Cargo.lock')
  if (second !== undefined) throw new Unreadable('Several Cargo.lock files were sent. Send one.', second)
  const isAbove = (file: 'target' | number) => file !== 'target' && manifest.places?.additional[file]?.startsWith('../')
  const parsed = parseManifests(files.filter(({ kind }) => kind === 'Cargo.toml'))
  const manifests = parsed.filter(({ file }) => !isAbove(file))
  if (lockFile === undefined) return readManifests(manifests, options)
  const lock = parseCargoLock(lockFile.text, lockFile.file)
  const workspace = { lock, manifests, places: manifest.places }
  const { packages, unresolved } = toPackages(workspace)
  const own = [...packages].filter(([, { isProject }]) => isProject)
  const project = findRoot(workspace) ?? (own.length === 1 ? own[0]![1] : undefined)
  return readLocked(
    {
      name: project?.name ?? '',
      version: project?.name === undefined ? '' : project.version,
      lock: { name: 'Cargo.lock', file: lockFile.file, update: UPDATE },
      manifestName: 'Cargo.toml',
      packages,
      direct: own.length === 0 ? undefined : own.map(([key, { name }]) => toRequirement(key, name)),
      versions: cargoVersions,
      unresolved,
      filesRead: [`Cargo.lock (version ${lock.version})`, ...(manifests.length === 0 ? [] : ['Cargo.toml'])],
    },
    options,
  )
}

interface Workspace {
  readonly lock: CargoLock
  readonly manifests: readonly CargoManifest[]
  readonly places: Manifest['places']
}

function toRequirement(key: string | undefined, name: string): Requirement {
  return { key, name, range: '', kind: 'prod' }
}

/** Returns the manifest beside the lock: the root of the workspace, or the only one. */
function findRoot({ manifests, places }: Workspace): CargoManifest | undefined {
  const isBeside = ({ file }: CargoManifest) => file !== 'target' && places?.additional[file] === 'Cargo.toml'
  if (places !== undefined) return manifests.find(isBeside)
  return manifests.length === 1 ? manifests[0] : manifests.find(({ isWorkspace }) => isWorkspace)
}

function toPackages(workspace: Workspace) {
  const { lock, manifests } = workspace
  const patched = new Set(manifests.flatMap((manifest) => [...manifest.patched]))
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]))
  const report = createReport()
  const packages = new Map<string, LockedPackage>()
  for (const [key, entry] of lock.entries) {
    const manifest = entry.source === undefined ? byName.get(entry.name) : undefined
    const isProject = entry.source === undefined && (manifest !== undefined || !patched.has(entry.name))
    const { name, version, source } = entry
    const elsewhere = isProject || isFromRegistry(source) ? undefined : describeSource(source)
    const commit = toCommit(source)
    packages.set(key, {
      name,
      version,
      requires:
        manifest === undefined
          ? entry.dependencies.map((one) => toRequirement(one.key, one.name))
          : compareDependencies({ entry, manifest, workspace, patched }, report.add),
      ...(isProject && { isProject }),
      ...(elsewhere !== undefined && { elsewhere }),
      ...(commit !== undefined && { commit }),
    })
  }
  comparePackages(workspace, report.add)
  return { packages, unresolved: report.unresolved }
}

type Contradiction = Pick<Unresolved, 'name' | 'range'> & { readonly problem: string }

function createReport() {
  const unresolved: Unresolved[] = []
  const add = ({ name, range, problem }: Contradiction) => {
    unresolved.push({
      name,
      range,
      code: 'lockfile-contradiction',
      reason: `${problem}; run ${UPDATE} to bring them together`,
      requiredBy: 'Cargo.toml',
    })
  }
  return { unresolved, add }
}

/** Compares packages and patches of the manifests with the lock, as `cargo --locked` does. */
function comparePackages({ lock, manifests }: Workspace, add: (contradiction: Contradiction) => void): void {
  const entries = [...lock.entries.values()]
  const local = new Map(entries.filter(({ source }) => source === undefined).map((entry) => [entry.name, entry]))
  for (const { name, version, patched } of manifests) {
    const entry = name === undefined ? undefined : local.get(name)
    if (name !== undefined && entry === undefined) {
      add({ name, range: version, problem: 'Cargo.lock has no entry for this package' })
    } else if (name !== undefined && entry!.version !== version) {
      add({ name, range: version, problem: `Cargo.lock has version ${entry!.version} of this package` })
    }
    for (const patch of patched) {
      const isUsed = entries.some((entry) => entry.name === patch && !isFromRegistry(entry.source))
      if (isUsed || lock.unusedPatches.has(patch)) continue
      add({ name: patch, range: '', problem: 'Cargo.toml replaces it by another source, Cargo.lock does not' })
    }
  }
}

interface Comparison {
  readonly entry: LockEntry
  readonly manifest: CargoManifest
  readonly workspace: Workspace
  readonly patched: ReadonlySet<string>
}

/** Returns the requirements of a package of the workspace: those of its manifest, and those that only the lock has. */
function compareDependencies(
  { entry, manifest, workspace, patched }: Comparison,
  add: (contradiction: Contradiction) => void,
): Requirement[] {
  const { entries } = workspace.lock
  const used = new Set<string | undefined>()
  const isComplete = isMember(manifest, workspace)
  const declared = manifest.dependencies.flatMap((dependency): Requirement[] => {
    const { name, range, kind, source } = dependency
    const candidates = entry.dependencies.filter((one) => one.name === name)
    const located = candidates.filter(({ key }) => fitsSource(key, dependency))
    const fits = ({ key }: { key: string | undefined }) =>
      range === '' || (key !== undefined && cargoVersions.satisfies(entries.get(key)!.version, range))
    const { key } = located.find(fits) ?? located[0] ?? candidates.find(fits) ?? candidates[0] ?? {}
    used.add(key)
    if (key === undefined && (source === undefined || (!isComplete && kind !== 'prod'))) return []
    if (key !== undefined && source !== undefined && located.length === 0) {
      add({ name, range, problem: describeDifference(source, entries.get(key)!.source) })
    }
    return [{ key, name, range, kind }]
  })
  const isGuessed = manifest.dependencies.some(({ source }) => source === undefined)
  const further = entry.dependencies.filter(({ key }) => key === undefined || !used.has(key))
  for (const { name, key } of isGuessed ? [] : further) {
    if (key !== undefined) add({ name, range: '', problem: 'Cargo.lock has it as a dependency, Cargo.toml does not' })
  }
  return [...declared, ...further.map(({ key, name }) => toRequirement(key, name))]

  function fitsSource(key: string | undefined, { name, source }: CrateDependency): boolean {
    const locked = key === undefined ? undefined : entries.get(key)
    if (locked === undefined || source === undefined || patched.has(name)) return true
    return isSameSource(source, locked.source)
  }
}

/** Returns true if the lock has all dependencies of the manifest's package: also optional ones, and those for tests. */
function isMember(manifest: CargoManifest, { manifests, places }: Workspace): boolean {
  const root = findRoot({ manifests, places } as Workspace)
  if (manifest === root) return true
  if (root?.isWorkspace !== true) return false
  const path = manifest.file === 'target' ? '' : (places?.additional[manifest.file] ?? '')
  return !root.excluded.some((folder) => path.startsWith(`${folder.replace(/^\.\/|\/$/g, '')}/`))
}

/** Reads manifests without a lock: a dependency on one version only is tested, others are reported. */
function readManifests(manifests: readonly CargoManifest[], options: ReadOptions): Reading {
  const [first] = manifests
  return readUnlocked(
    {
      name: first?.name ?? '',
      version: first?.name === undefined ? '' : first.version,
      manifestName: 'Cargo.toml',
      remedy: 'Run cargo generate-lockfile and send Cargo.lock too.',
      declared: manifests.flatMap(({ dependencies }) =>
        dependencies
          .filter(({ source }) => source?.kind !== 'folder')
          .map(({ name, range, kind, source }) => {
            const [, pinned] = /^ *= *(\S+) *$/.exec(range) ?? []
            const isPinned = source?.kind === 'registry' && pinned !== undefined && cargoVersions.isValid(pinned)
            return { name, range, kind, ...(isPinned && { version: pinned }) }
          }),
      ),
      unresolved: [],
      filesRead: ['Cargo.toml'],
    },
    options,
  )
}
