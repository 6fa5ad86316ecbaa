import type { DependencyKind } from '../../dependency-graph.ts'
import type { DeclaredDependencies } from './declarations.ts'
import type { LockedDependency, LockedPackage } from './locked-packages.ts'
import { unknownRange } from './resolution/locked.ts'

/** Returns the declared dependencies as those of a lockfile's project. */
export function toRoots({ requirements }: DeclaredDependencies): LockedDependency[] {
  return requirements.flatMap(({ parsed, kind }): LockedDependency[] => {
    const { requirement } = parsed
    if (requirement === undefined) return []
    const { project, extras, marker } = requirement
    const range = parsed.kind === 'from-elsewhere' ? unknownRange : requirement.range
    return [{ name: project, extras, range, marker, kind }]
  })
}

/** Returns a dependency of the project on exactly one locked package. */
export function toDirect({ name, version }: LockedPackage, kind: DependencyKind): LockedDependency {
  return { name, extras: [], range: unknownRange, ...(version !== undefined && { version }), marker: undefined, kind }
}
