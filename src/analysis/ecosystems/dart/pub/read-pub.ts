import { type IdentifiedFile, identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { folderOf, resolve } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { pubVersions } from '#analysis/versions/pub.ts'
import type { Unresolved } from '../../../dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '../../ecosystem.ts'
import type { LockedPackage, Requirement } from '../../locked/locked-project.ts'
import { readLocked } from '../../locked/read-locked.ts'
import { readUnlocked } from '../../locked/read-unlocked.ts'
import { type PubDependency, type Pubspec, parsePubspec } from './pubspec.ts'
import { type PubPackage, parsePubspecLock } from './pubspec-lock.ts'

const UPDATE = 'dart pub get'
const NO_EDGES =
  'A pubspec.lock does not tell which package requires which: every package is a direct dependency, and those for development are tested too.'

/**
 * Reads a pubspec.lock with the pubspecs of its workspace, or a pubspec.yaml without a lock. Packages for development
 * are always tested: the product may require them too, through others.
 */
export function readPub(manifest: Manifest, options: ReadOptions): Reading {
  const files = identifyFiles('pub', manifest)
  const [lock, second] = files.filter(({ kind }) => kind === 'pubspec.lock')
  if (second !== undefined) throw new Unreadable('Two files of the kind pubspec.lock were sent', { file: second.file })
  const manifests = files.filter(({ kind }) => kind === 'pubspec.yaml')
  const pubspecs = manifests.map(({ text, file }) => parsePubspec(text, file))
  const local = files
    .filter(({ kind }) => kind === 'pubspec_overrides.yaml')
    .map(({ text, file }) => parsePubspec(text, file))
  // An overrides file replaces the overrides of the pubspec.
  const overrides = (local.length > 0 ? local : pubspecs).flatMap((pubspec) => pubspec.overrides)
  const root = rootOf(manifests, pubspecs, manifest)
  const declared = effective(pubspecs, overrides)
  const about = {
    name: root?.name ?? '',
    version: root?.version ?? '',
    manifestName: 'pubspec.yaml',
    filesRead: files.map(({ kind }) => kind),
  }
  if (lock === undefined) {
    const published = declared.filter(({ source }) => source !== 'sdk')
    const remedy = `Run ${UPDATE} and commit pubspec.lock.`
    return readUnlocked({ ...about, remedy, declared: published.map(withPin), unresolved: [] }, options)
  }
  const locked = parsePubspecLock(lock.text, lock.file)
  const registry = mostFrequentHost(locked)
  const packages = new Map(
    [...locked].map(([key, entry]) => [key, toLocked(entry, { registry, places: manifest.places })]),
  )
  const reading = readLocked(
    {
      ...about,
      lock: { name: 'pubspec.lock', file: lock.file, update: UPDATE },
      packages,
      direct:
        pubspecs.length === 0 ? directOf(locked) : [...declared.map(toRequirement), ...transitive(locked, declared)],
      versions: pubVersions,
      unresolved: declared.flatMap((one) => otherSource(one, locked.get(one.name)) ?? []),
    },
    { ...options, includeDev: true },
  )
  return withSdkAndNote(reading, locked)
}

/** Returns the pubspec beside the lockfile, if the paths tell; else the first one. */
function rootOf(files: readonly IdentifiedFile[], pubspecs: readonly Pubspec[], { places }: Manifest) {
  const at = files.findIndex(({ file }) => file === 'target' || !places?.additional[file]?.includes('/'))
  return pubspecs[Math.max(0, at)]
}

/** Applies overrides to declarations, and leaves out the members of the workspace. */
function effective(pubspecs: readonly Pubspec[], overrides: readonly PubDependency[]): PubDependency[] {
  const members = new Set(pubspecs.map(({ name }) => name))
  const byName = new Map(overrides.map((override) => [override.name, override]))
  const declared = pubspecs
    .flatMap(({ dependencies }) => dependencies)
    .filter(({ name }) => !members.has(name) || byName.has(name))
    .map((one): PubDependency => ({ ...one, ...byName.get(one.name), kind: one.kind }))
  const names = new Set(declared.map(({ name }) => name))
  return [...declared, ...overrides.filter(({ name }) => !names.has(name))]
}

function toRequirement(dependency: PubDependency): Requirement {
  return { key: dependency.name, ...dependency }
}

/** A range of a single version leaves pub no choice. */
function withPin(dependency: PubDependency) {
  const { range, source } = dependency
  const isPinned = source === 'hosted' && pubVersions.isValid(range)
  const origin = source === 'git' ? 'a git repository' : 'a folder'
  const reason = source === 'hosted' ? undefined : `It comes from ${origin}: advisories may or may not apply to it`
  return { ...dependency, ...(isPinned && { version: range }), ...(reason !== undefined && { reason }) }
}

function directOf(locked: ReadonlyMap<string, PubPackage>): Requirement[] {
  return [...locked].map(([key, { name, dependency }]) => ({
    key,
    name,
    range: '',
    kind: dependency === 'direct dev' ? 'dev' : 'prod',
  }))
}

/** Returns the packages that no pubspec declares. */
function transitive(locked: ReadonlyMap<string, PubPackage>, declared: readonly PubDependency[]): Requirement[] {
  const names = new Set(declared.map(({ name }) => name))
  return directOf(new Map([...locked].filter(([key]) => !names.has(key)))).map((one) => ({ ...one, kind: 'prod' }))
}

interface Origins {
  readonly registry: string
  readonly places: Manifest['places']
}

function toLocked({ name, version, source, origin, commit }: PubPackage, origins: Origins): LockedPackage {
  const shown = withoutCredentials(shorten(origin))
  const isOwn = source === 'sdk' || (source === 'path' && isInside(origin, origins.places))
  const elsewhere =
    source === 'git'
      ? `the git repository ${shown}`
      : source === 'path'
        ? `a folder outside of the repository (${shown})`
        : origin !== origins.registry && `the registry ${shown}`
  return {
    name,
    version,
    requires: [],
    ...(isOwn ? { isProject: true as const } : elsewhere && { elsewhere }),
    ...(commit !== undefined && { commit }),
  }
}

/** Returns true for a folder of the repository; without paths, for a folder below the project. */
function isInside(path: string, places: Manifest['places']): boolean {
  if (/^(?:[\\/~]|[A-Za-z]:)/.test(path)) return false
  return resolve(places === undefined ? '' : folderOf(places.target), path.replaceAll('\\', '/')) !== undefined
}

/** Returns the registry of most packages: the public one, or a mirror of it. */
function mostFrequentHost(locked: ReadonlyMap<string, PubPackage>): string {
  const hosted = [...locked.values()].filter(({ source }) => source === 'hosted')
  const counts = [...Map.groupBy(hosted, ({ origin }) => origin)].map(([host, { length }]) => ({ host, length }))
  return counts.sort((a, b) => b.length - a.length)[0]?.host ?? ''
}

/** Reports a declaration whose source is not the locked one. */
function otherSource(dependency: PubDependency, entry: PubPackage | undefined): Unresolved | undefined {
  const { name, range, source, line, file } = dependency
  if (entry === undefined || entry.source === source) return undefined
  return {
    name: shorten(name),
    range,
    code: 'lockfile-contradiction',
    reason: `pubspec.lock takes it from ${entry.source}, not from ${source}; run ${UPDATE} to bring them together`,
    requiredBy: 'pubspec.yaml',
    ...(line !== undefined && { line, ...(file !== undefined && { file }) }),
  }
}

/** Counts the packages of SDKs, which no registry publishes. */
function withSdkAndNote(reading: Reading, locked: ReadonlyMap<string, PubPackage>): Reading {
  const packages = [...locked.values()].filter(({ source }) => source === 'sdk').length
  return {
    ...reading,
    excluded: packages === 0 ? [] : [{ reason: 'standard-library', packages }],
    boundsMet: locked.size === 0 ? [] : [NO_EDGES],
  }
}
