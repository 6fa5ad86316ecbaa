import type { TomlTable, TomlValue } from 'smol-toml'
import { toDigest } from '#analysis/documents/digest.ts'
import { toAscii } from '#analysis/documents/json-document.ts'
import { isTable } from '#analysis/documents/toml.ts'
import { tableIn } from './declarations.ts'
import { toProjectName } from './packaging/project-name.ts'

/** Separators of a JSON text. */
interface Layout {
  readonly comma: string
  readonly colon: string
}

const spaced: Layout = { comma: ', ', colon: ': ' }

const legacyKeys = ['dependencies', 'source', 'extras', 'dev-dependencies']

/**
 * Returns the values of `content-hash` that Poetry writes for a pyproject.toml (`Locker._get_content_hash`): since 2.3
 * with dependency groups, before without. Undefined if the values cannot be written as Python does.
 */
export async function poetryHashes(document: TomlTable): Promise<string[] | undefined> {
  const hashes = await Promise.all(
    [true, false].map((hasGroups) => hashOf(relevantContent(document, hasGroups), spaced)),
  )
  const defined = hashes.filter((hash) => hash !== undefined)
  return defined.length === hashes.length ? defined : undefined
}

function relevantContent(document: TomlTable, hasGroups: boolean): Json {
  const poetry = tableIn(document, 'tool', 'poetry') ?? {}
  const project = pick(tableIn(document, 'project') ?? {}, ['requires-python', 'dependencies', 'optional-dependencies'])
  const groups = hasGroups ? (tableIn(document, 'dependency-groups') ?? {}) : {}
  const hasProject = Object.keys(project).length > 0
  const hasOther = hasProject || Object.keys(groups).length > 0
  const own = pick(poetry, [...legacyKeys, 'group'])
  const missing = hasOther ? {} : Object.fromEntries(legacyKeys.map((key) => [key, null]))
  const ofPoetry = { ...missing, ...own }
  if (!hasOther) return ofPoetry
  return {
    ...(hasProject && { project }),
    ...(Object.keys(groups).length > 0 && { 'dependency-groups': groups }),
    tool: { poetry: ofPoetry },
  }
}

type Json = { readonly [key: string]: TomlValue | Json | null }

function pick(table: TomlTable, keys: readonly string[]): Record<string, TomlValue> {
  return Object.fromEntries(keys.flatMap((key) => (table[key] === undefined ? [] : [[key, table[key]]])))
}

async function hashOf(content: Json, layout: Layout): Promise<string | undefined> {
  const text = write(content, layout)
  return text === undefined ? undefined : toDigest('SHA-256', text)
}

/** Writes JSON as Python does, with sorted keys; undefined for numbers and dates, whose spelling TOML does not keep. */
function write(value: TomlValue | Json | null, layout: Layout): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return toAscii(JSON.stringify(value))
  if (Array.isArray(value))
    return join(
      value.map((element) => write(element, layout)),
      '[]',
      layout,
    )
  if (!isTable(value as TomlValue) && Object.getPrototypeOf(value) !== Object.prototype) return undefined
  const entries = Object.entries(value as Json).sort(([a], [b]) => (a < b ? -1 : 1))
  const written = entries.map(([key, member]) => {
    const text = write(member, layout)
    return text === undefined ? undefined : `${toAscii(JSON.stringify(key))}${layout.colon}${text}`
  })
  return join(written, '{}', layout)
}

function join(parts: readonly (string | undefined)[], brackets: string, { comma }: Layout): string | undefined {
  return parts.includes(undefined) ? undefined : `${brackets[0]}${parts.join(comma)}${brackets[1]}`
}

const dense: Layout = { comma: ',', colon: ':' }
const ownSections = new Set([
  'source',
  'requires',
  'packages',
  'dev-packages',
  'scripts',
  'pipfile',
  'pipenv',
  'default',
  'develop',
])

/**
 * Returns the hashes that Pipenv writes for a Pipfile: with names as written, and as normalized since 2026. Undefined if
 * it lists no sources or cannot be written as JSON.
 */
export async function pipenvHashes(document: TomlTable): Promise<string[] | undefined> {
  const { source, requires, packages, 'dev-packages': develop } = document
  if (!Array.isArray(source)) return undefined
  const sections = Object.entries(document).filter(([name]) => !ownSections.has(name))
  const contentOf = (toSection: (section: TomlValue) => TomlValue) => ({
    ...Object.fromEntries(sections.map(([name, section]) => [name, toSection(section)])),
    _meta: { sources: source, requires: requires ?? {} },
    default: toSection(packages ?? {}),
    develop: toSection(develop ?? {}),
  })
  const contents = [contentOf((section) => section), contentOf(withProjectNames)]
  const hashes = (await Promise.all(contents.map((content) => hashOf(content, dense)))).filter(
    (hash) => hash !== undefined,
  )
  return hashes.length === contents.length ? hashes : undefined
}

function withProjectNames(section: TomlValue): TomlValue {
  if (!isTable(section)) return section
  return Object.fromEntries(Object.entries(section).map(([name, value]) => [toProjectName(name), value]))
}
