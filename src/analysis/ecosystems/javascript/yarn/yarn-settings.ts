import { isObject, type JsonObject, ownValue } from '#analysis/documents/json-document.ts'
import { parseYaml } from '#analysis/documents/yaml.ts'
import { npmVersions } from '#analysis/versions/npm.ts'
import type { Dependency } from '../dependency.ts'
import type { LockEntry } from '../entry-lock.ts'
import type { PackageJson } from '../package-json.ts'
import { splitAtVersion } from '../spec.ts'

/** The settings of a .yarnrc.yml that decide about packages ("Settings (.yarnrc.yml)"). */
export interface YarnSettings {
  /** Ranges by package, by the name of their catalog. */
  readonly catalogs: ReadonlyMap<string, JsonObject>
  /** Dependencies added to packages, by `name@range`. */
  readonly extensions: readonly (readonly [selector: string, added: JsonObject])[]
}

export const noSettings: YarnSettings = { catalogs: new Map(), extensions: [] }

export function readSettings(text: string, file: number | 'target'): YarnSettings {
  const isEmpty = text.split('\n').every((line) => /^\uFEFF?\s*(?:#.*)?$/.test(line))
  const content = isEmpty ? {} : parseYaml(text, file)
  const own = ownValue(content, 'catalog')
  return {
    catalogs: new Map([
      ...objectsIn(ownValue(content, 'catalogs')),
      ...(isObject(own) ? [['', own] as const, ['default', own] as const] : []),
    ]),
    extensions: objectsIn(ownValue(content, 'packageExtensions')),
  }
}

function objectsIn(value: unknown): (readonly [string, JsonObject])[] {
  return Object.entries(isObject(value) ? value : {}).filter((entry): entry is [string, JsonObject] =>
    isObject(entry[1]),
  )
}

/** Replaces ranges of catalogs by those that the settings give. */
export function withCatalogs(project: PackageJson, { catalogs }: YarnSettings): PackageJson {
  const rangeOf = (name: string, range: string) => {
    const catalog = range.startsWith('catalog:') ? catalogs.get(range.slice('catalog:'.length).trim()) : undefined
    const value = catalog && ownValue(catalog, name)
    return typeof value === 'string' ? value : range
  }
  const dependencies = project.dependencies.map((dependency) => ({
    ...dependency,
    range: rangeOf(dependency.name, dependency.range),
  }))
  return { ...project, dependencies }
}

/** Adds the dependencies of `packageExtensions`, which a yarn.lock does not repeat, to a package that lacks them. */
export function withExtensions(entry: LockEntry, { extensions }: YarnSettings): LockEntry {
  if (extensions.length === 0 || entry.workspace !== undefined) return entry
  const own = new Set(entry.dependencies.map(({ name }) => name))
  const added = extensions.flatMap(([selector, extension]): Dependency[] => {
    const { name, rest: range } = splitAtVersion(selector)
    const isFor = name === entry.name && npmVersions.satisfies(entry.version ?? '', range === '' ? '*' : range)
    const dependencies = isFor ? ownValue(extension, 'dependencies') : undefined
    return Object.entries(isObject(dependencies) ? dependencies : {}).flatMap(([name, value]) =>
      own.has(name) ? [] : [{ name, range: String(value), kind: 'prod', mayBeAbsent: false }],
    )
  })
  return added.length === 0 ? entry : { ...entry, dependencies: [...entry.dependencies, ...added] }
}
