import type { TomlTable, TomlValue } from 'smol-toml'
import { shorten } from '#analysis/documents/json-document.ts'
import { isTable } from '#analysis/documents/toml.ts'
import type { DependencyKind } from '../../dependency-graph.ts'
import { type Declarations, listIn, report, sourceOf, tableIn, tableOf, textIn, toRequirement } from './declarations.ts'
import { environmentNames } from './packaging/marker.ts'
import { toSpecifiers } from './packaging/poetry-range.ts'
import { toProjectName } from './packaging/project-name.ts'
import { toPythonMarker } from './poetry-marker.ts'

/**
 * Returns true for the dependencies of a group that Poetry takes from its own table. Where `[project]` or
 * `[dependency-groups]` have the group too, the table only says more about their dependencies (`DependencyGroup`).
 */
export type IsTakenFromTable = (group: string, isOptional: boolean) => boolean

/** Reads `[tool.poetry.dependencies]`, which belong to extras if they are optional, and the groups. */
export function readPoetryTables(poetry: TomlTable, declarations: Declarations, isTaken: IsTakenFromTable): void {
  const add = (value: TomlTable | undefined, group: string) =>
    addTable(value, group === MAIN ? 'prod' : 'dev', {
      ...declarations,
      isTaken: (isOptional) => isTaken(group, isOptional),
    })
  add(tableOf(poetry['dependencies'], 'tool.poetry.dependencies', declarations), MAIN)
  add(tableOf(poetry['dev-dependencies'], 'tool.poetry.dev-dependencies', declarations), 'dev')
  for (const [name, group] of Object.entries(tableIn(poetry, 'group') ?? {}))
    add(tableIn(group, 'dependencies'), toProjectName(name))
}

/** Poetry's name for the group of the dependencies that are installed always. */
export const MAIN = 'main'

interface TableDeclarations extends Declarations {
  readonly isTaken?: (isOptional: boolean) => boolean
}

export function addTable(table: TomlTable | undefined, kind: DependencyKind, declarations: TableDeclarations): void {
  for (const [name, value] of Object.entries(table ?? {})) {
    if (name === 'python') continue
    for (const tomlValue of Array.isArray(value) ? value : [value]) add(name, tomlValue, { kind, declarations })
  }
}

/** Takes the source of a dependency that is declared elsewhere. */
function addSource(project: string, source: string, { kind, declarations }: TableContext): void {
  for (const [at, { parsed, kind: ownKind }] of declarations.requirements.entries()) {
    const { requirement } = parsed
    if (requirement?.project !== project || (ownKind === 'dev') !== (kind === 'dev')) continue
    const { marker } = requirement
    declarations.requirements[at] = {
      kind: ownKind,
      parsed: { kind: 'from-elsewhere', requirement, source, version: undefined, marker },
    }
  }
}

interface TableContext {
  readonly kind: DependencyKind
  readonly declarations: TableDeclarations
}

function add(name: string, value: TomlValue, { kind, declarations }: TableContext): void {
  const dependency = toAsked(value)
  const range = toSpecifiers(dependency.range)
  const requirement = toRequirement(name, { ...dependency, range: range ?? '' })
  if (requirement === undefined) {
    report(declarations, { name: shorten(name), reason: 'Invalid dependency' })
    return
  }
  const source = sourceOf(value)
  if (declarations.isTaken?.(dependency.isOptional) === false) {
    if (source !== undefined) addSource(requirement.project, source, { kind, declarations })
    return
  }
  if (range === undefined) {
    const reason = `The range ${shorten(dependency.range)} has no PEP 440 equivalent, so any version was accepted`
    declarations.foreignRanges.push({
      name: toProjectName(name),
      range: shorten(dependency.range),
      code: 'not-static',
      reason,
      requiredBy: declarations.manifest,
    })
  }
  const { marker } = requirement
  declarations.requirements.push({
    kind: dependency.isOptional ? 'optional' : kind,
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
    extras: extras === undefined ? NONE : listIn(extras).filter((extra) => typeof extra === 'string'),
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
