import { type IdentifiedFile, identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { composerVersions } from '#analysis/versions/composer.ts'
import { isBranch, normalizeVersion } from '#analysis/versions/composer-version.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '../ecosystem.ts'
import type { LockedPackage, Requirement } from '../locked/locked-project.ts'
import { readLocked } from '../locked/read-locked.ts'
import { readUnlocked } from '../locked/read-unlocked.ts'
import { type ComposerDependency, type ComposerManifest, isPlatform, toManifest } from './composer-json.ts'
import { type ComposerLock, type LockEntry, parseComposerLock } from './composer-lock.ts'
import { contentHash } from './content-hash.ts'

const UPDATE = 'composer update'

/** Reads a composer.lock, with the composer.json if it was sent, or a composer.json alone. */
export function readProject(manifest: Manifest, options: ReadOptions): Reading {
  const files = identifyFiles('composer', manifest)
  const lockFile = only(files, 'composer.lock')
  const manifestFile = only(files, 'composer.json')
  const declared = manifestFile && toManifest(manifestFile.json(), manifestFile.file)
  if (lockFile === undefined) return readDeclared(declared!, options)
  const lock = parseComposerLock(lockFile.json(), lockFile.file)
  const links = createLinks(lock, declared?.provided ?? new Set())
  return readLocked(
    {
      name: declared?.name ?? '',
      version: declared?.version ?? '',
      lock: { name: 'composer.lock', file: lockFile.file, update: UPDATE },
      manifestName: 'composer.json',
      packages: new Map([...lock.entries].map(([key, entry]) => [key, toPackage(entry, links)])),
      direct: declared?.dependencies.flatMap(links),
      versions: composerVersions,
      unresolved: declared === undefined ? [] : [...findStale(lock, declared), ...findUnreadable(declared)],
      filesRead: ['composer.lock', ...(declared === undefined ? [] : ['composer.json'])],
    },
    options,
  )
}

function only(files: readonly IdentifiedFile[], kind: string): IdentifiedFile | undefined {
  const [file, second] = files.filter((one) => one.kind === kind)
  if (second !== undefined) throw new Unreadable(`Several ${kind} files were sent. Send one.`, second)
  return file
}

function toPackage(entry: LockEntry, links: (dependency: ComposerDependency) => Requirement[]): LockedPackage {
  const { name, version, alias, isDev, license, commit, elsewhere, isOwn } = entry
  const isHead = !isOwn && isBranchHead(version)
  return {
    name,
    version: alias ?? version,
    requires: entry.requires.flatMap(([required, range]) =>
      links({ name: required, range: range === 'self.version' ? version : range, kind: 'prod' }),
    ),
    isDev,
    ...(isHead && { doubt: describeHead(entry) }),
    ...(isHead && commit !== undefined && { commit }),
    ...(license !== undefined && { license }),
    ...(elsewhere !== undefined && { elsewhere }),
    ...(isOwn && { isProject: true as const }),
  }
}

function isBranchHead(version: string): boolean {
  return normalizeVersion(version)?.match(/^dev-|-dev$/) != null
}

function describeHead({ version, alias, commit, elsewhere }: LockEntry): string {
  const numbered = alias ?? (isBranch(normalizeVersion(version)!) ? undefined : version)
  const at = commit === undefined ? '' : ` at commit ${shorten(commit).slice(0, 12)}`
  const from = elsewhere === undefined ? '' : ` from ${elsewhere}`
  const result =
    numbered === undefined
      ? 'no advisory can be matched'
      : `advisories are matched with ${numbered}, as if it had every fix of that branch`
  return `It is the branch ${shorten(version)}${at}${from}, not a release: ${result}`
}

/** Returns a function from a dependency to the locked packages that meet it: itself, or others that provide it. */
function createLinks({ entries }: ComposerLock, ownNames: ReadonlySet<string>) {
  const providers = new Map<string, { readonly key: string; readonly version: string }[]>()
  for (const [key, { provides }] of entries) {
    for (const [name, version] of provides) {
      const existing = providers.get(name)
      if (existing === undefined) providers.set(name, [{ key, version }])
      else existing.push({ key, version })
    }
  }
  return (dependency: ComposerDependency): Requirement[] => {
    const { name } = dependency
    // Composer compares it with the version of the project, which is that of a commit.
    const range = dependency.range === 'self.version' ? '' : dependency.range
    if (isPlatform(name)) return []
    const entry = entries.get(name)
    if (entry !== undefined) return [{ ...dependency, range, key: name, versions: versionsOf(entry) }]
    const others = providers.get(name) ?? []
    if (others.length === 0) return ownNames.has(name) ? [] : [{ ...dependency, key: undefined }]
    return others.map(({ key, version }) => {
      const isVersion = composerVersions.isValid(version)
      return { ...dependency, range, key, versions: isVersion ? [version, ...versionsOf(entries.get(key)!)] : [] }
    })
  }
}

function versionsOf({ version, alias, furtherAliases }: LockEntry): string[] {
  return [version, ...(alias === undefined ? [] : [alias]), ...furtherAliases]
}

/** Reports a lock that was written for another composer.json. */
function findStale(lock: ComposerLock, { document }: ComposerManifest): Unresolved[] {
  const hash = lock.contentHash === undefined ? undefined : contentHash(document)
  if (hash === undefined || hash === lock.contentHash) return []
  const reason = `composer.lock was written for another composer.json (content-hash); run ${UPDATE} to bring the two together, or ${UPDATE} --lock if the packages shall stay`
  return [{ name: 'composer.lock', range: '', code: 'lockfile-contradiction', reason, requiredBy: 'composer.json' }]
}

/** Reports ranges that cannot be compared with the locked versions. */
function findUnreadable({ dependencies }: ComposerManifest): Unresolved[] {
  return dependencies
    .filter(({ range }) => range !== 'self.version' && !composerVersions.isRange(range))
    .map(({ name, range }) => ({
      name: shorten(name),
      range: shorten(range),
      code: 'lockfile-contradiction' as const,
      reason: 'Composer does not read this range, so the lockfile is for another one; correct it',
      requiredBy: 'composer.json',
    }))
}

/** Reads a composer.json without a lock: exact versions are tested, others are reported. */
function readDeclared({ name, version, dependencies, provided }: ComposerManifest, options: ReadOptions): Reading {
  return readUnlocked(
    {
      name,
      version,
      manifestName: 'composer.json',
      remedy: `Run ${UPDATE} and send composer.lock too.`,
      declared: dependencies
        .filter((dependency) => !provided.has(dependency.name))
        .map((dependency) => {
          const [, pinned] = /^\s*={0,2}\s*(v?\d[\w.+-]*)\s*$/.exec(dependency.range) ?? []
          const isPinned = pinned !== undefined && composerVersions.isValid(pinned) && !isBranchHead(pinned)
          return { ...dependency, ...(isPinned && { version: pinned }) }
        }),
      unresolved: [],
      filesRead: ['composer.json'],
    },
    options,
  )
}
