import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { npmVersions } from '#analysis/versions/npm.ts'
import type { Unresolved } from '../../../dependency-graph.ts'
import { createLines, type Declaration } from '../../declaration.ts'
import type { Manifest, Reading, ReadOptions } from '../../ecosystem.ts'
import type { LockedPackage, Requirement } from '../../locked/locked-project.ts'
import { readLocked } from '../../locked/read-locked.ts'
import { readUnlocked } from '../../locked/read-unlocked.ts'
import { parsePackageResolved } from './package-resolved.ts'
import { parsePackageSwift, type SwiftDependency, type SwiftManifest } from './package-swift.ts'

const UPDATE = 'swift package resolve'
const NO_EDGES =
  'A Package.resolved does not tell which package requires which: every package is a direct dependency, and those for tests are tested too.'

/** Reads a Package.resolved with its Package.swift, or a Package.swift alone. */
export function readSwift(manifest: Manifest, options: ReadOptions): Reading {
  const { lock, swift, filesRead } = filesOf(manifest)
  const parsed = swift && parsePackageSwift(swift.text)
  const about = { name: parsed?.name ?? '', version: '', manifestName: 'Package.swift', filesRead }
  if (lock === undefined) {
    if (parsed === undefined) throw new Unreadable('Neither a Package.resolved nor a Package.swift was sent')
    const remedy = `Run ${UPDATE} and commit Package.resolved.`
    const declared = parsed.dependencies.map(withPin)
    return readUnlocked({ ...about, remedy, declared, unresolved: notStatic(parsed, remedy) }, options)
  }
  const packages = parsePackageResolved(lock.json(), lock.file)
  const place = swift === undefined || swift.file === 'target' ? {} : { file: `additional file ${swift.file + 1}` }
  const reading = readLocked(
    {
      ...about,
      lock: { name: 'Package.resolved', file: lock.file, update: UPDATE },
      packages,
      direct: parsed && [
        ...parsed.dependencies.map((one) => ({ ...toRequirement(one, packages), ...place })),
        ...undeclared(packages, parsed),
      ],
      versions: npmVersions,
      unresolved: [],
    },
    options,
  )
  return packages.size === 0 ? reading : { ...reading, boundsMet: [NO_EDGES] }
}

function filesOf(manifest: Manifest) {
  const files = identifyFiles('swift', manifest)
  const [lock, secondLock] = files.filter(({ kind }) => kind === 'Package.resolved')
  const [swift, secondSwift] = files.filter(({ kind }) => kind === 'Package.swift')
  const second = secondLock ?? secondSwift
  if (second !== undefined)
    throw new Unreadable(`Two files of the kind ${second.kind} were sent`, { file: second.file })
  return { lock, swift, filesRead: files.map(({ kind }) => kind) }
}

/** A branch may hold any version, which the pin tells. */
function toRequirement(one: SwiftDependency, packages: ReadonlyMap<string, LockedPackage>): Requirement {
  const { identity, line, ref } = one
  const { name } = packages.get(identity) ?? one
  return { key: identity, name, range: ref === undefined ? one.range : '', kind: 'prod', line }
}

function undeclared(packages: ReadonlyMap<string, LockedPackage>, { dependencies }: SwiftManifest): Requirement[] {
  const declared = new Set(dependencies.map(({ identity }) => identity))
  return [...packages].flatMap(([key, { name }]) => (declared.has(key) ? [] : [{ key, name, range: '', kind: 'prod' }]))
}

function withPin({ name, range, line, ref }: SwiftDependency) {
  const exact = range.slice(1)
  const isPinned = range.startsWith('=') && npmVersions.isValid(exact)
  return { name, range: range || (ref ?? ''), kind: 'prod' as const, line, ...(isPinned && { version: exact }) }
}

function notStatic({ isStatic }: SwiftManifest, remedy: string): Unresolved[] {
  if (isStatic) return []
  const reason = `Running Package.swift may add dependencies. ${remedy}`
  return [{ name: 'Package.swift', range: '', code: 'not-static', reason, requiredBy: 'Package.swift' }]
}

/** Finds the dependencies of Package.swift and, after them, the pins. */
export function locateSwift(manifest: Manifest): Declaration[] {
  const { lock, swift } = filesOf(manifest)
  const declared = swift === undefined ? [] : parsePackageSwift(swift.text).dependencies
  const pins = lock === undefined ? [] : [...parsePackageResolved(lock.json(), lock.file)]
  const nameOf = new Map(pins.map(([identity, { name }]) => [identity, name]))
  const lineOf = createLines(lock?.text ?? '')
  return [
    ...declared.map(({ identity, name, line }) => ({
      name: nameOf.get(identity) ?? name,
      file: swift!.file,
      fileName: 'Package.swift',
      line,
    })),
    ...pins.flatMap(([identity, { name }]) => {
      const pattern = new RegExp(
        `"(?:identity"\\s*:\\s*"${RegExp.escape(identity)}"|repositoryURL"\\s*:\\s*"[^"]*\\b${RegExp.escape(identity)}(?:\\.git)?/*")`,
        'i',
      )
      const at = lock!.text.search(pattern)
      return at < 0 ? [] : [{ name, file: lock!.file, fileName: 'Package.resolved', line: lineOf(at) }]
    }),
  ]
}
