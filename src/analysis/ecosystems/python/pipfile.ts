import type { TomlTable } from 'smol-toml'
import { isTable } from '#analysis/documents/toml.ts'
import { type Declarations, type DeclaredDependencies, tableOf } from './declarations.ts'
import { addTable } from './poetry-tables.ts'

/** Reads the packages of a Pipfile; those of further categories are optional. */
export function readPipfile(document: TomlTable): DeclaredDependencies {
  const declarations: Declarations = { manifest: 'Pipfile', requirements: [], unresolved: [], foreignRanges: [] }
  const { source: _, requires: __, scripts, pipenv, packages, 'dev-packages': develop, ...categories } = document
  addTable(tableOf(packages, 'packages', declarations), 'prod', declarations)
  addTable(tableOf(develop, 'dev-packages', declarations), 'dev', declarations)
  for (const category of Object.values(categories)) if (isTable(category)) addTable(category, 'optional', declarations)
  const { requirements, unresolved, foreignRanges } = declarations
  return {
    name: undefined,
    requirements,
    unresolved,
    foreignRanges,
    buildPackages: 0,
    declaresAny: true,
    isListed: requirements.length > 0,
  }
}
