import {
  isObject,
  type JsonObject,
  objectAt,
  ownValue,
  rangesAt,
  shorten,
  textOf,
} from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'

/** A package or project in a section of a lock. */
export interface LockEntry {
  readonly name: string
  readonly version: string
  readonly type: 'direct' | 'project' | 'transitive'
  /** The range that the project declared. */
  readonly requested?: string
  /** True if only development needs it. */
  readonly isDev?: true
  readonly dependencies: readonly (readonly [name: string, range: string])[]
}

/** The packages of one framework, by name in lower case. */
export interface LockSection {
  readonly framework: string
  /** True if it has only what differs from the framework without its runtime. */
  readonly isPart: boolean
  readonly entries: ReadonlyMap<string, LockEntry>
  /** Names in lower case of direct packages without an entry. */
  readonly lacking: readonly string[]
}

type File = 'target' | number

const LOCK_VERSIONS = [1, 2]

/** Parses a packages.lock.json. */
export function parsePackagesLock(lock: JsonObject, file: File): { version: number; sections: LockSection[] } {
  const version = ownValue(lock, 'version')
  if (typeof version !== 'number' || !LOCK_VERSIONS.includes(version)) {
    throw new Unreadable(`The lockfile has version ${shorten(String(version))}; versions 1 and 2 are read`, { file })
  }
  const frameworks = Object.entries(objectAt(lock, 'dependencies', { file, entry: '' }) ?? {})
  const sections = frameworks.map(([key, all]): LockSection => {
    if (!isObject(all)) throw new Unreadable(`"${shorten(key)}" must be an object`, { file })
    const entries = Object.entries(all).map(([name, about]) => toEntry(name, about, file))
    return { ...splitFramework(key), entries: byName(entries, file), lacking: [] }
  })
  return { version, sections }
}

function toEntry(name: string, about: unknown, file: File): LockEntry {
  if (!isObject(about)) throw new Unreadable(`The entry of "${shorten(name)}" must be an object`, { file })
  const type = textOf(about, 'type')?.toLowerCase()
  const requested = textOf(about, 'requested')
  return {
    name,
    version: textOf(about, 'resolved') ?? '',
    type: type === 'direct' || type === 'project' ? type : 'transitive',
    ...(requested !== undefined && { requested }),
    dependencies: rangesAt(about, 'dependencies', { file, entry: name }),
  }
}

function byName(entries: readonly LockEntry[], file: File): Map<string, LockEntry> {
  const all = new Map<string, LockEntry>()
  for (const entry of entries) {
    const key = entry.name.toLowerCase()
    if (all.has(key)) {
      throw new Unreadable(`A framework has two entries for "${shorten(entry.name)}"; run dotnet restore again`, {
        file,
      })
    }
    all.set(key, entry)
  }
  return all
}

function splitFramework(key: string): { framework: string; isPart: boolean } {
  const slash = key.indexOf('/')
  return { framework: slash < 0 ? key : key.slice(0, slash), isPart: slash >= 0 }
}

export interface Assets {
  readonly name: string
  readonly version: string
  readonly sections: readonly LockSection[]
  /** Errors of the restore that wrote the file. */
  readonly errors: readonly { readonly name: string; readonly message: string }[]
}

/** Parses a project.assets.json, the result of a restore. */
export function parseAssets(assets: JsonObject, file: File): Assets {
  const at = (object: JsonObject, key: string) => objectAt(object, key, { file, entry: '' }) ?? {}
  const project = at(assets, 'project')
  const declared = new Map(
    Object.values(at(project, 'frameworks'))
      .flatMap((framework) => (isObject(framework) ? Object.entries(at(framework, 'dependencies')) : []))
      .map(([name, about]) => [name.toLowerCase(), isObject(about) ? about : {}]),
  )
  const groups = at(assets, 'projectFileDependencyGroups')
  const targets = Object.entries(at(assets, 'targets'))
  const resolved = new Set(targets.map(([key]) => splitFramework(key).framework))
  const unresolved = Object.keys(groups).filter((framework) => !resolved.has(framework))
  const sections = [...targets, ...unresolved.map((key) => [key, {}] as const)].map(([key, packages]): LockSection => {
    if (!isObject(packages)) throw new Unreadable(`"${shorten(key)}" must be an object`, { file })
    const { framework } = splitFramework(key)
    const direct = new Set(namesOf(ownValue(groups, framework)))
    const entries = Object.entries(packages).map(([id, about]) => {
      const slash = id.lastIndexOf('/')
      const name = slash < 0 ? id : id.slice(0, slash)
      const isProject = isObject(about) && textOf(about, 'type') === 'project'
      const lowerName = name.toLowerCase()
      const type = isProject ? 'project' : direct.has(lowerName) ? 'direct' : 'transitive'
      const { version: requested, suppressParent } = (declared.get(lowerName) ?? {}) as Readonly<
        Record<string, unknown>
      >
      return {
        name,
        version: slash < 0 ? '' : id.slice(slash + 1),
        type,
        ...(type === 'direct' && typeof requested === 'string' && { requested }),
        ...(type === 'direct' && /^all$/i.test(String(suppressParent)) && { isDev: true }),
        dependencies: isObject(about) ? rangesAt(about, 'dependencies', { file, entry: id }) : [],
      } satisfies LockEntry
    })
    const all = byName(entries, file)
    const lacking = [...direct].filter((name) => !all.has(name))
    return { framework, isPart: false, entries: all, lacking }
  })
  const logs = ownValue(assets, 'logs')
  const errors = (Array.isArray(logs) ? logs.filter(isObject) : [])
    .filter((log) => textOf(log, 'level')?.toLowerCase() === 'error')
    .map((log) => ({
      name: textOf(log, 'libraryId') ?? textOf(log, 'code') ?? '',
      message: textOf(log, 'message') ?? '',
    }))
  const name = textOf(at(project, 'restore'), 'projectName') ?? ''
  return { name, version: textOf(project, 'version') ?? '', sections, errors }
}

/** Returns the names of entries such as `Serilog >= 2.0.0`, in lower case. */
function namesOf(group: unknown): string[] {
  return Array.isArray(group) ? group.map((entry) => String(entry).split(' ')[0]!.toLowerCase()) : []
}
