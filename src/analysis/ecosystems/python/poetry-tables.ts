import type { TomlTable, TomlValue } from 'smol-toml'
import type { DependencyKind } from '../../dependency-graph.ts'
import { shorten } from '../npm/json-document.ts'
import { environmentNames } from '../pip/marker.ts'
import { toSpecifiers } from '../pip/poetry-range.ts'
import { toProjectName } from '../pip/project-name.ts'
import { isTable } from '../toml.ts'
import { type Declarations, listIn, report, sourceOf, tableIn, tableOf, textIn, toRequirement } from './declarations.ts'
import { toPythonMarker } from './poetry-marker.ts'

/** Reads `[tool.poetry.dependencies]`, which belong to extras if they are optional, and the groups. */
export function readPoetryTables(poetry: TomlTable, found: Declarations): void {
  addTable(tableOf(poetry['dependencies'], 'tool.poetry.dependencies', found), 'prod', found)
  addTable(tableOf(poetry['dev-dependencies'], 'tool.poetry.dev-dependencies', found), 'dev', found)
  for (const [name, group] of Object.entries(tableIn(poetry, 'group') ?? {})) {
    addTable(tableIn(group, 'dependencies'), name === 'main' ? 'prod' : 'dev', found)
  }
}

export function addTable(table: TomlTable | undefined, kind: DependencyKind, found: Declarations): void {
  for (const [name, value] of Object.entries(table ?? {})) {
    if (name === 'python') continue
    for (const each of Array.isArray(value) ? value : [value]) add(name, each, { kind, found })
  }
}

function add(name: string, value: TomlValue, { kind, found }: { kind: DependencyKind; found: Declarations }): void {
  const asked = toAsked(value)
  const range = toSpecifiers(asked.range)
  const requirement = toRequirement(name, { ...asked, range: range ?? '' })
  if (requirement === undefined) {
    report(found, { name: shorten(name), reason: 'This is no dependency that can be read' })
    return
  }
  if (range === undefined) {
    const reason = `The range ${shorten(asked.range)} cannot be told to pip, so any version was taken`
    found.foreignRanges.push({
      name: toProjectName(name),
      range: shorten(asked.range),
      code: 'not-static',
      reason,
      requiredBy: found.manifest,
    })
  }
  const { marker } = requirement
  const source = sourceOf(value)
  found.requirements.push({
    kind: asked.isOptional ? 'optional' : kind,
    parsed:
      source === undefined
        ? { kind: 'from-registry', requirement }
        : { kind: 'from-elsewhere', requirement, source, version: undefined, marker },
  })
}

/** Pipenv also has conditions under the names of variables. */
const NAMES_OF_CONDITIONS: ReadonlySet<string> = new Set(['markers', 'python', 'platform', ...environmentNames])

const NONE: readonly string[] = []

interface Asked {
  readonly range: string
  readonly extras: readonly string[]
  readonly marker: string
  readonly isOptional: boolean
}

/** Reads the value of a dependency: a range, or a table with `version`, `python`, `platform`, `markers` and `extras`. */
export function toAsked(value: TomlValue | undefined): Asked {
  if (!isTable(value)) {
    return { range: typeof value === 'string' ? value : '', extras: NONE, marker: '', isOptional: false }
  }
  const { extras } = value
  return {
    range: textIn(value, 'version') ?? '',
    extras: extras === undefined ? NONE : listIn(extras).filter((each) => typeof each === 'string'),
    marker: markerOf(value),
    isOptional: value['optional'] === true,
  }
}

/** Joins the conditions of a table. */
function markerOf(value: TomlTable): string {
  const parts: string[] = []
  for (const key of Object.keys(value)) {
    const text = NAMES_OF_CONDITIONS.has(key) ? textIn(value, key) : undefined
    const part = text === undefined ? undefined : toCondition(key, text)
    if (part !== undefined) parts.push(part)
  }
  return parts.length === 1 ? parts[0]! : parts.map((part) => `(${part})`).join(' and ')
}

function toCondition(key: string, text: string): string | undefined {
  if (key === 'markers') return text
  if (key === 'python') return toPythonMarker(text)
  if (key === 'platform') return `sys_platform == "${text.replaceAll('"', '')}"`
  return `${key} ${text}`
}
