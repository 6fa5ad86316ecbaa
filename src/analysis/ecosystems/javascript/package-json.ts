import { isObject, type JsonObject, objectAt, ownValue, textOf } from '#analysis/documents/json-document.ts'
import { type Dependency, projectDependencies } from './dependency.ts'
import { type OverrideRule, parseOverrides } from './overrides.ts'

/** The members of a package.json that affect installation. */
export interface PackageJson {
  readonly name: string | undefined
  readonly version: string | undefined
  readonly dependencies: readonly Dependency[]
  /** Folder patterns of workspace members. */
  readonly workspaces: readonly string[]
  /** Undefined without overrides. Only the root project's apply. */
  readonly overrides: OverrideRule | undefined
}

/**
 * Converts a package.json. Ignores `engines`, `os`, `cpu` (npm locks packages for every platform), `bundleDependencies`
 * and `resolutions` (yarn's).
 */
export function toPackageJson(document: JsonObject, file: 'target' | number): PackageJson {
  const where = { file, entry: '' }
  const dependencies = projectDependencies(document, where)
  return {
    name: textOf(document, 'name'),
    version: textOf(document, 'version'),
    dependencies,
    workspaces: workspacePatterns(ownValue(document, 'workspaces')),
    overrides: parseOverrides(objectAt(document, 'overrides', where), document, file),
  }
}

/**
 * Converts a package.json for Yarn 1 and pnpm: without `overrides`, which are npm's, and with their choice among
 * duplicate names, where devDependencies give way.
 */
export function toOtherPackageJson(document: JsonObject, file: 'target' | number): PackageJson {
  const members = Object.entries(document).filter(([key]) => key !== 'overrides')
  const read = toPackageJson(Object.fromEntries(members), file)
  return {
    ...read,
    dependencies: read.dependencies.map((dependency) =>
      dependency.rangeWithoutDev === undefined ? dependency : { ...dependency, range: dependency.rangeWithoutDev },
    ),
  }
}

/** Reads a list, or yarn's object with a list in `packages`. */
export function workspacePatterns(value: unknown): string[] {
  const list = isObject(value) ? ownValue(value, 'packages') : value
  return Array.isArray(list) ? list.filter((pattern) => typeof pattern === 'string') : []
}

/** Returns the project's label in `requiredBy`. */
export function nameProject(project: {
  readonly name: string | undefined
  readonly version: string | undefined
}): string {
  if (project.name === undefined) return 'package.json'
  return project.version === undefined ? project.name : `${project.name}@${project.version}`
}
