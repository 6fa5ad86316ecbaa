import type { TomlTable } from 'smol-toml'
import type { Unresolved } from '../../dependency-graph.ts'
import { shorten } from '../npm/json-document.ts'
import { withoutCredentials } from '../npm/spec.ts'
import { parseRequirementLine } from '../pip/requirements/requirement-line.ts'
import { listIn, tableIn } from './declarations.ts'

/** A rule of uv for the versions of a package in the whole project. */
export interface UvRule {
  /** The member of uv.lock that repeats it. */
  readonly list: 'overrides' | 'constraints'
  readonly text: string
  /** Undefined for text that is no requirement. */
  readonly project: string | undefined
  /** Undefined for packages that are not from a registry. */
  readonly range: string | undefined
}

const lists = [
  ['overrides', 'override-dependencies'],
  ['constraints', 'constraint-dependencies'],
] as const

/** Reads the overrides and constraints of `[tool.uv]`. */
export function readUvRules(document: TomlTable): UvRule[] {
  const uv = tableIn(document, 'tool', 'uv')
  return lists.flatMap(([list, key]) =>
    listIn(uv?.[key]).map((each): UvRule => {
      const text = typeof each === 'string' ? each : ''
      const parsed = parseRequirementLine(text.trim(), 'plain')
      const requirement = parsed.kind === 'unreadable' ? undefined : parsed.requirement
      const range = parsed.kind === 'from-registry' ? requirement?.range : undefined
      return { list, text: shorten(withoutCredentials(text)), project: requirement?.project, range }
    }),
  )
}

/** Tables of other tools from which they install packages, or which change versions. */
const foreignTables: readonly (readonly string[])[] = [
  ['pixi', 'dependencies'],
  ['pixi', 'pypi-dependencies'],
  ['pixi', 'feature'],
  ['pixi', 'target'],
  ['pdm', 'resolution', 'overrides'],
]

/** Reports settings that pip does not know, and that are not applied without a lockfile. */
export function findForeignSettings(document: TomlTable): Unresolved[] {
  const common = { code: 'not-static', requiredBy: 'pyproject.toml' } as const
  const rules = readUvRules(document).map(({ list, text, project = text }): Unresolved => {
    const reason = `The ${list} of uv are not applied without a lockfile; test uv.lock with /v1/test/uv`
    return { name: project, range: text, reason, ...common }
  })
  const tables = foreignTables.flatMap((path): Unresolved[] => {
    if (tableIn(document, 'tool', ...path) === undefined) return []
    const reason = `This table of ${path[0]} installs or changes packages, and is not read`
    return [{ name: `tool.${path.join('.')}`, range: '', reason, ...common }]
  })
  return [...rules, ...tables]
}
