import { type Dependency, projectDependencies } from './dependency.ts'
import { isObject, type JsonObject, objectAt, ownValue, textOf } from './json-document.ts'
import { type OverrideRule, parseOverrides } from './overrides.ts'

/** The members of a package.json that decide what is installed. */
export interface PackageJson {
  readonly name: string | undefined
  readonly version: string | undefined
  readonly dependencies: readonly Dependency[]
  /** Patterns of folders whose own package.json belong to the project. */
  readonly workspaces: readonly string[]
  /** Undefined when nothing is overridden. Only the root project's count. */
  readonly overrides: OverrideRule | undefined
}

/** Not read: `engines`, `os`, `cpu` (npm locks packages for every platform), `bundleDependencies`, `resolutions` (yarn's). */
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

/** A list, or yarn's object with a list in `packages`. */
export function workspacePatterns(value: unknown): string[] {
  const list = isObject(value) ? ownValue(value, 'packages') : value
  return Array.isArray(list) ? list.filter((pattern) => typeof pattern === 'string') : []
}

/** How the project is named where something is `requiredBy` it. */
export function nameProject(project: {
  readonly name: string | undefined
  readonly version: string | undefined
}): string {
  if (project.name === undefined) return 'package.json'
  return project.version === undefined ? project.name : `${project.name}@${project.version}`
}
