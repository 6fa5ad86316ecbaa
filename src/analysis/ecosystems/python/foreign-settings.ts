import type { TomlTable } from 'smol-toml'
import type { Unresolved } from '../../dependency-graph.ts'
import { tableIn } from './declarations.ts'
import { readUvRules } from './uv-rules.ts'

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
