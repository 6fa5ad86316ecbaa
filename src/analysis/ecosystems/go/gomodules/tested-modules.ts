import type { GoRequirement } from '#analysis/registries/go.ts'
import { goVersions } from '#analysis/versions/go.ts'
import { listsEverything, toCanonical } from './mod-file.ts'
import { keyOf, type ModuleGraph } from './module-graph.ts'
import type { ProjectFiles } from './project-files.ts'

/** The modules of the graph that the build can read packages from. */
export interface TestedModules {
  readonly modules: readonly GoRequirement[]
  /** True if the files fix all versions. */
  readonly isLocked: boolean
  /** True if modules may be missing, because neither go.sum nor the whole graph is known. */
  readonly isOpen: boolean
  /** Modules of the graph that no package of the project needs. */
  readonly unneeded: number
}

/**
 * Chooses the modules to test. Since Go 1.17, go.mod lists every module that packages and tests of the main module
 * import from; others of the graph only influence versions. Before, go.sum has the contents of all that are needed.
 * vendor/modules.txt lists the modules whose packages are vendored.
 */
export function chooseTested(
  {
    target,
    mains,
    sums,
    vendored,
    isVendoredTogether,
  }: Pick<ProjectFiles, 'target' | 'mains' | 'sums' | 'vendored' | 'isVendoredTogether'>,
  graph: ModuleGraph,
): TestedModules {
  const sources = mains.includes(target) ? [target] : mains
  const listed = sources.flatMap(({ requires }) => requires)
  const selected = chosenFrom(graph, listed)
  const isWhole = graph.failures.every(({ path }) => graph.selected.get(path) === '')
  const all = [...selected].filter(([, version]) => version !== '').map(([path, version]) => ({ path, version }))
  const paths = new Set(listed.map(({ path }) => path))
  const isListed = sources.every(({ go }) => listsEverything(go))
  const isTidy = isListed && (listed.length === 0 || listed.some(({ isIndirect }) => isIndirect))
  const byList = all.filter(({ path }) => paths.has(path))
  if (vendored !== undefined) {
    const copies = vendored.filter(({ path }) => selected.get(path) !== '')
    const modules = withVendored(isVendoredTogether ? withoutRaised(byList, copies) : byList, copies)
    const kept = new Set(modules.map(({ path }) => path))
    const unneeded = all.filter(({ path }) => !kept.has(path)).length
    return { modules, isLocked: true, isOpen: false, unneeded }
  }
  if (isTidy) return { modules: byList, isLocked: true, isOpen: false, unneeded: all.length - byList.length }
  if (sums !== undefined) {
    const others = [...sums].filter(([path]) => !paths.has(path) && selected.get(path) !== '')
    const more = others.flatMap(([path, versions]) => {
      const version = selected.get(path)
      const candidates = isWhole && version !== undefined && versions.includes(version) ? [version] : versions
      return candidates.map((candidate) => ({ path, version: candidate }))
    })
    const older = isListed || isWhole ? [] : raisedInSums(byList, sums)
    const modules = [...byList, ...more, ...older]
    const kept = new Set(modules.map(({ path }) => path))
    const unneeded = all.filter(({ path }) => !kept.has(path)).length
    return { modules, isLocked: true, isOpen: false, unneeded }
  }
  return { modules: all, isLocked: false, isOpen: isListed && !isWhole, unneeded: 0 }
}

/** Adds vendored modules that go.mod lacks or lists at another version: both versions may be in use. */
function withVendored(listed: readonly GoRequirement[], vendored: readonly GoRequirement[]): GoRequirement[] {
  const listedKeys = new Set(listed.map(keyOf))
  return [...listed, ...vendored.filter((requirement) => !listedKeys.has(keyOf(requirement)))]
}

/**
 * Drops versions below those vendored for the whole workspace: other members or their dependencies require higher ones.
 */
function withoutRaised(listed: readonly GoRequirement[], vendored: readonly GoRequirement[]): GoRequirement[] {
  const byPath = Map.groupBy(vendored, ({ path }) => path)
  return listed.filter(
    ({ path, version }) =>
      !byPath.get(path)?.some((requirement) => goVersions.compare(requirement.version, version) > 0),
  )
}

/** Returns the selected versions by path, raised to the listed ones; omits listed versions that are not canonical. */
function chosenFrom(graph: ModuleGraph, listed: readonly GoRequirement[]): Map<string, string> {
  const selected = new Map(graph.selected)
  for (const { path, version } of listed) {
    if (toCanonical(version) === version) {
      const current = selected.get(path)
      if (current === undefined || (current !== '' && goVersions.compare(current, version) < 0))
        selected.set(path, version)
    } else if (selected.get(path) === version) selected.delete(path)
  }
  return selected
}

/** Returns versions of go.sum above those of go.mod, which an unknown part of the graph may have selected. */
function raisedInSums(
  listed: readonly GoRequirement[],
  sums: NonNullable<ProjectFiles['sums']>,
): readonly GoRequirement[] {
  return listed.flatMap(({ path, version }) =>
    (sums.get(path) ?? [])
      .filter((candidate) => goVersions.compare(candidate, version) > 0)
      .map((version) => ({ path, version })),
  )
}
