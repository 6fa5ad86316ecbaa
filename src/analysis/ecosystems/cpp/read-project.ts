import { type IdentifiedFile, identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { conanVersions } from '#analysis/versions/conan.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '../ecosystem.ts'
import type { LockedPackage, Requirement } from '../locked/locked-project.ts'
import { readLocked } from '../locked/read-locked.ts'
import { readUnlocked } from '../locked/read-unlocked.ts'
import { type ConanEntry, type ConanLink, type ConanLock, parseConanLock } from './conan-lock.ts'
import type { ConanReference } from './conan-reference.ts'
import { type ConanRequirement, parseConanfile } from './conanfile.ts'

/** Reads a conan.lock, with the conanfile.txt if it was sent, or a conanfile.txt alone. */
export function readProject(manifest: Manifest, options: ReadOptions): Reading {
  const files = identifyFiles('conan', manifest)
  const lockFile = only(files, 'conan.lock')
  const conanfile = only(files, 'conanfile.txt')
  const declared = conanfile && parseConanfile(conanfile.text, conanfile.file)
  if (lockFile === undefined) return readDeclared(declared!, options)
  const lock = parseConanLock(lockFile.json(), lockFile.file)
  return readLocked(
    {
      name: '',
      version: '',
      lock: { name: 'conan.lock', file: lockFile.file, update: 'conan lock create .' },
      manifestName: 'conanfile.txt',
      packages: new Map([...lock.entries].map(([key, entry]) => [key, toPackage(entry, lock)])),
      direct: toDirect(lock, declared ?? []),
      versions: conanVersions,
      unresolved: findUnreadable(declared ?? []),
      filesRead: [`conan.lock (version ${lock.version})`, ...(declared === undefined ? [] : ['conanfile.txt'])],
    },
    options,
  )
}

function only(files: readonly IdentifiedFile[], kind: string): IdentifiedFile | undefined {
  const [file, second] = files.filter((one) => one.kind === kind)
  if (second !== undefined) throw new Unreadable(`Several ${kind} files were sent. Send one.`, second)
  return file
}

function toPackage(entry: ConanEntry, lock: ConanLock): LockedPackage {
  const { name, range: version, channel } = entry
  const doubt = doubtOf(version)
  return {
    name,
    version,
    requires: entry.links.map((link) => toRequirement(link, lock)),
    ...(doubt !== undefined && { doubt }),
    ...(channel !== undefined && { elsewhere: `@${shorten(channel)}` }),
  }
}

function toRequirement({ key, kind }: ConanLink, { entries }: ConanLock): Requirement {
  return { key, name: entries.get(key)?.name ?? `node ${key}`, range: '', kind }
}

/** Names versions that are newer than every release in Conan's order, though no fix may be in them. */
function doubtOf(version: string): string | undefined {
  if (/^v?\d/.test(version) && conanVersions.isValid(version)) return undefined
  if (version === 'system') return 'It stands for a library of the operating system, whose version is not known'
  return `"${shorten(version)}" is not a release, so it is not certain which advisories apply`
}

/** A lock of Conan 2 is flat: all its packages are direct, those that the conanfile.txt declares with its ranges. */
function toDirect(lock: ConanLock, declared: readonly ConanRequirement[]): Requirement[] {
  const links = lock.direct ?? [...lock.entries].map(([key, { kind }]) => ({ key, kind }))
  const requirements = declared.flatMap(({ reference, kind, line }): Requirement[] => {
    if (reference === undefined) return []
    const { name, range } = reference
    const candidates = links.filter(({ key }) => lock.entries.get(key)?.name === name)
    const fitting = candidates.find(({ key }) => conanVersions.satisfies(lock.entries.get(key)!.range, range))
    return [{ key: (fitting ?? candidates[0])?.key, name, range, kind, line }]
  })
  const used = new Set(requirements.map(({ key }) => key))
  return [...requirements, ...links.filter(({ key }) => !used.has(key)).map((link) => toRequirement(link, lock))]
}

/** Reports lines that are no reference, and ranges that cannot be compared with the locked versions. */
function findUnreadable(declared: readonly ConanRequirement[]): Unresolved[] {
  return declared.flatMap(({ text, reference, line }) =>
    reference !== undefined && isReadable(reference)
      ? []
      : [
          {
            name: shorten(reference?.name ?? text),
            range: shorten(reference?.range ?? ''),
            code: 'lockfile-contradiction' as const,
            reason: 'Conan does not read this requirement; correct it and write the lock again',
            requiredBy: 'conanfile.txt',
            line,
          },
        ],
  )
}

function isReadable({ range }: ConanReference): boolean {
  return conanVersions.isRange(range) || conanVersions.isValid(range)
}

/** Reads a conanfile.txt without a lock: exact versions are tested, others are reported. */
function readDeclared(declared: readonly ConanRequirement[], options: ReadOptions): Reading {
  return readUnlocked(
    {
      name: '',
      version: '',
      manifestName: 'conanfile.txt',
      remedy: 'Run conan lock create . and send conan.lock too.',
      declared: declared.map(({ text, reference, kind, line }) => {
        if (reference === undefined) {
          return { name: text, range: '', kind, line, reason: 'Conan does not read this requirement; correct it' }
        }
        const { name, range, channel } = reference
        const isPinned = channel === undefined && /^v?\d/.test(range) && conanVersions.isValid(range)
        return { name, range, kind, line, ...(isPinned && !text.includes('[') && { version: range }) }
      }),
      unresolved: [],
      filesRead: ['conanfile.txt'],
    },
    options,
  )
}
