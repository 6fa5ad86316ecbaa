import type { TomlTable, TomlValue } from 'smol-toml'
import { shorten } from '#analysis/documents/json-document.ts'
import { isTable } from '#analysis/documents/toml.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { DependencyKind } from '../../dependency-graph.ts'
import {
  type Declarations,
  type DeclaredDependencies,
  type DeclaredRequirement,
  listIn,
  report,
  sourceOf,
  tableIn,
  tableOf,
  textIn,
} from './declarations.ts'
import { findForeignSettings } from './foreign-settings.ts'
import { toProjectName } from './packaging/project-name.ts'
import { type IsTakenFromTable, MAIN, readPoetryTables } from './poetry-tables.ts'
import { parseRequirementLine } from './requirements/requirement-line.ts'

/**
 * Reads the dependencies of a pyproject.toml: PEP 621 with its extras, dependency groups (PEP 735), and the tables of
 * Poetry and uv.
 */
export function readPyproject(document: TomlTable): DeclaredDependencies {
  const declarations: Declarations = { manifest: 'pyproject.toml', requirements: [], unresolved: [], foreignRanges: [] }
  const project = tableIn(document, 'project')
  const poetry = tableIn(document, 'tool', 'poetry')
  const groups = tableIn(document, 'dependency-groups')
  const uv = tableIn(document, 'tool', 'uv')
  if (project !== undefined) readProject(project, { poetry, document, declarations })
  for (const [, list] of Object.entries(groups ?? {})) addAll(list, 'dev', declarations)
  if (uv !== undefined) addAll(uv['dev-dependencies'], 'dev', declarations)
  if (poetry !== undefined) readPoetryTables(poetry, declarations, takenFromTables(project, groups))
  const name = textIn(project, 'name') ?? textIn(poetry, 'name')
  const sources = tableIn(uv, 'sources') ?? {}
  declarations.foreignRanges.push(...findForeignSettings(document))
  const own = name === undefined ? undefined : toProjectName(name)
  return {
    name: own,
    requirements: declarations.requirements
      .filter(({ parsed: { requirement } }) => own === undefined || requirement?.project !== own)
      .map((requirement) => withSource(requirement, sources)),
    unresolved: declarations.unresolved,
    foreignRanges: declarations.foreignRanges,
    buildPackages: listIn(tableIn(document, 'build-system')?.['requires']).length,
    declaresAny: project !== undefined || groups !== undefined || poetry !== undefined,
    isListed: declarations.requirements.length > 0 || Array.isArray(project?.['dependencies']),
  }
}

/** Tells what Poetry takes from its own tables beside `[project]` and `[dependency-groups]`. */
function takenFromTables(project: TomlTable | undefined, groups: TomlTable | undefined): IsTakenFromTable {
  const required = listIn(project?.['dependencies']).length > 0
  const optional = Object.values(tableIn(project, 'optional-dependencies') ?? {}).some(
    (list) => listIn(list).length > 0,
  )
  const isDynamic = listIn(project?.['dynamic']).some((name) => /^(?:optional-)?dependencies$/.test(String(name)))
  const own = Object.entries(groups ?? {}).filter(([, list]) => listIn(list).some((entry) => typeof entry === 'string'))
  const names = new Set(own.map(([name]) => toProjectName(name)))
  return (group, isOptional) => {
    if (group !== MAIN) return !names.has(group)
    if (!required && !optional) return true
    return isDynamic && required !== optional && isOptional === required
  }
}

interface ProjectContext {
  readonly poetry: TomlTable | undefined
  readonly document: TomlTable
  readonly declarations: Declarations
}

function readProject(project: TomlTable, { poetry, document, declarations }: ProjectContext): void {
  addAll(project['dependencies'], 'prod', declarations)
  for (const [, list] of Object.entries(
    tableOf(project['optional-dependencies'], 'optional-dependencies', declarations),
  ))
    addAll(list, 'optional', declarations)
  const dynamic = listIn(project['dynamic'])
  const hasPoetryTable = poetry !== undefined && isTable(poetry['dependencies'])
  for (const name of ['dependencies', 'optional-dependencies']) {
    if (!dynamic.includes(name) || hasPoetryTable) continue
    const file = filesOf(tableIn(document, 'tool', 'setuptools', 'dynamic', name))
    const where =
      file === undefined
        ? 'the build tool determines them'
        : `they are in ${shorten(file)}; test that file with /v1/test/pip`
    report(declarations, { name, reason: `The ${name} are dynamic: ${where}` })
  }
}

/** Returns the files named by a dynamic field of setuptools, also of its first extra. */
function filesOf(field: TomlTable | undefined): string | undefined {
  const own =
    field?.['file'] ?? Object.values(field ?? {}).flatMap((entry) => (isTable(entry) ? [entry['file']] : []))[0]
  return typeof own === 'string'
    ? own
    : Array.isArray(own)
      ? own.filter((file) => typeof file === 'string').join(', ')
      : undefined
}

/** Adds a list of requirements (PEP 508); groups may include others, which are added themselves. */
function addAll(list: TomlValue | undefined, kind: DependencyKind, declarations: Declarations): void {
  if (list === undefined) return
  if (!Array.isArray(list)) {
    report(declarations, { name: 'dependencies', reason: 'Expected a list of requirements' })
    return
  }
  for (const entry of list) {
    if (isTable(entry) && typeof entry['include-group'] === 'string') continue
    const parsed =
      typeof entry === 'string' ? parseRequirementLine(entry.trim(), 'plain') : { kind: 'unreadable' as const }
    if (parsed.kind === 'unreadable') {
      const name = typeof entry === 'string' ? shorten(withoutCredentials(entry)) : 'an entry'
      report(declarations, { name, reason: 'Not a PEP 508 requirement' })
    } else declarations.requirements.push({ parsed, kind })
  }
}

/** Applies `[tool.uv.sources]`: uv takes the package from there. */
function withSource(declared: DeclaredRequirement, sources: TomlTable): DeclaredRequirement {
  const { requirement } = declared.parsed
  if (requirement === undefined || declared.parsed.kind === 'from-elsewhere') return declared
  const [, entry] = Object.entries(sources).find(([name]) => toProjectName(name) === requirement.project) ?? []
  const all = Array.isArray(entry) ? entry : [entry]
  const source = all.map(sourceOf).find((source) => source !== undefined)
  if (source === undefined) return declared
  const { marker } = requirement
  return { ...declared, parsed: { kind: 'from-elsewhere', requirement, source, version: undefined, marker } }
}
