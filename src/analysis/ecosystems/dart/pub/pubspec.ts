import type { DependencyKind } from '#analysis/dependency-graph.ts'
import { isObject, type JsonObject, ownValue, shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { parseYaml } from '#analysis/documents/yaml.ts'
import { locateDeclarations } from './locate.ts'

export type PubSource = 'hosted' | 'git' | 'path' | 'sdk'

/** A dependency of a pubspec. */
export interface PubDependency {
  readonly name: string
  /** Empty for any version. */
  readonly range: string
  readonly source: PubSource
  readonly kind: DependencyKind
  readonly line?: number
  /** The file of the line, if it is not the target. */
  readonly file?: string
}

export interface Pubspec {
  readonly name: string
  readonly version: string
  readonly dependencies: readonly PubDependency[]
  readonly overrides: readonly PubDependency[]
}

interface Section {
  readonly key: string
  readonly kind: DependencyKind
}

const SOURCES: readonly PubSource[] = ['hosted', 'git', 'path', 'sdk']
const KEYS = new Set<string>([...SOURCES, 'version'])

/** Parses a pubspec.yaml or pubspec_overrides.yaml (Dart's "Package dependencies"). */
export function parsePubspec(text: string, file: 'target' | number): Pubspec {
  const document = parseYaml(text, file)
  const lines = new Map(locateDeclarations(text).map(({ section, name, line }) => [`${section} ${name}`, line]))
  const read = ({ key, kind }: Section) =>
    membersAt(document, key, file).map(([name, value]): PubDependency => {
      const line = lines.get(`${key} ${name}`)
      const place = {
        ...(line !== undefined && { line }),
        ...(file !== 'target' && { file: `additional file ${file + 1}` }),
      }
      return { ...toDependency(name, value, file), kind, ...place }
    })
  return {
    name: scalarAt(document, 'name'),
    version: scalarAt(document, 'version'),
    dependencies: [...read({ key: 'dependencies', kind: 'prod' }), ...read({ key: 'dev_dependencies', kind: 'dev' })],
    overrides: read({ key: 'dependency_overrides', kind: 'prod' }),
  }
}

function toDependency(
  name: string,
  value: unknown,
  file: 'target' | number,
): Pick<PubDependency, 'name' | 'range' | 'source'> {
  if (typeof value === 'string') return { name, range: toRange(value), source: 'hosted' }
  const keys = isObject(value) ? Object.keys(value) : []
  const sources = SOURCES.filter((source) => keys.includes(source))
  if (!isObject(value) || sources.length > 1 || keys.some((key) => !KEYS.has(key))) {
    throw new Unreadable(`Invalid dependency "${shorten(name)}": expected a version or one source`, { file })
  }
  return { name, range: toRange(scalarAt(value, 'version')), source: sources[0] ?? 'hosted' }
}

function toRange(text: string): string {
  return text === 'null' || text === '~' ? '' : text.trim()
}

/** Returns the members of a map; none if it is absent or empty. */
export function membersAt(document: JsonObject, key: string, file: 'target' | number): [string, unknown][] {
  const value = ownValue(document, key)
  if (value === undefined || value === '' || value === 'null') return []
  if (isObject(value)) return Object.entries(value)
  throw new Unreadable(`"${key}" must be a map`, { file })
}

export function scalarAt(object: JsonObject, key: string): string {
  const value = ownValue(object, key)
  return typeof value === 'string' ? value : ''
}
