import type { GoModule, GoRequirement } from '#analysis/registries/go.ts'
import { goVersions } from '#analysis/versions/go.ts'
import { listsEverything, type ModFile, type Replacement } from './mod-file.ts'
import type { ModAnswer, ModReads } from './mod-reads.ts'

/** A required version whose go.mod could not be read. */
export interface ModFailure extends GoRequirement {
  readonly code: 'not-in-registry' | 'registry-unreachable' | 'not-from-registry' | 'bound-met' | 'version-unknown'
  readonly reason: string
  /** The requiring module as `path@version`; a main module's path alone. */
  readonly by: string
}

/** The module graph as `go mod graph` prints it, without `go` and `toolchain`. */
export interface ModuleGraph {
  /** Requirements by `path@version`; of main modules by `path@`. */
  readonly requires: ReadonlyMap<string, readonly GoRequirement[]>
  /** The version of each path chosen by minimal version selection; empty for main modules. */
  readonly selected: ReadonlyMap<string, string>
  readonly failures: readonly ModFailure[]
}

/** Main modules with the directives that apply to the whole graph. */
export interface GraphInput {
  /** Several are a workspace. */
  readonly mains: readonly ModFile[]
  readonly isWorkspace: boolean
  readonly replaces: readonly Replacement[]
  readonly excludes: readonly GoRequirement[]
  readonly reads: ModReads
  readonly maxModules: number
}

/** Depth to which the requirements below a module are loaded (cmd/go/internal/modload, modPruning). */
type Pruning = 'pruned' | 'unpruned' | 'workspace'

interface Loading extends GraphInput {
  readonly replacementOf: (module: GoRequirement) => Replacement['by'] | undefined
  readonly isExcluded: (module: GoRequirement) => boolean
  readonly answers: Map<string, Promise<ModAnswer>>
  readonly loaded: Map<string, { readonly requires: readonly GoRequirement[]; readonly isPruned: boolean }>
  readonly selected: Map<string, string>
  readonly queued: Set<string>
  readonly failures: Map<string, ModFailure>
}

interface Queued {
  readonly module: GoRequirement
  readonly pruning: Pruning
  readonly by: string
}

export const keyOf = ({ path, version }: GoRequirement): string => `${path}@${version}`

/**
 * Loads the module graph and selects versions (https://go.dev/ref/mod#minimal-version-selection), pruned as since
 * Go 1.17 (https://go.dev/ref/mod#graph-pruning); a port of readModGraph in cmd/go/internal/modload/buildlist.go.
 */
export async function loadModuleGraph(input: GraphInput): Promise<ModuleGraph> {
  const loading = startLoading(input)
  const roots = input.mains.map(({ path }) => ({ path, version: '' }))
  if (input.isWorkspace) {
    await loadAll(
      loading,
      roots.map((module) => ({ module, pruning: 'workspace', by: module.path })),
    )
    await reloadRaised(loading, roots)
  } else {
    const [main] = input.mains
    const pruning = listsEverything(main!.go) ? 'pruned' : 'unpruned'
    const { requires } = keep(loading, { path: main!.path, version: '' }, main!)
    await loadAll(
      loading,
      requires.map((module) => ({ module, pruning, by: main!.path })),
    )
  }
  return {
    requires: new Map([...loading.loaded].map(([key, { requires }]) => [key, requires])),
    selected: loading.selected,
    failures: [...loading.failures.values()],
  }
}

function startLoading(input: GraphInput): Loading {
  const excluded = new Set(input.excludes.map(keyOf))
  const replaced = new Map(input.replaces.map(({ path, version, by }) => [`${path}@${version ?? ''}`, by]))
  return {
    ...input,
    replacementOf: (module) => replaced.get(keyOf(module)) ?? replaced.get(`${module.path}@`),
    isExcluded: (module) => excluded.has(keyOf(module)),
    answers: new Map(),
    loaded: new Map(),
    selected: new Map(input.mains.map(({ path }) => [path, ''])),
    queued: new Set(),
    failures: new Map(),
  }
}

/** Loads modules and what they lead to, level by level, so that the order of answers does not matter. */
async function loadAll(loading: Loading, first: readonly Queued[]): Promise<void> {
  let level = first.filter((queued) => isNew(loading, queued))
  while (level.length > 0) {
    const below = await Promise.all(level.map((queued) => loadOne(loading, queued)))
    const next: Queued[] = []
    for (const [at, { module, pruning }] of level.entries()) {
      const loadedModule = below[at]
      if (loadedModule === undefined) continue
      const { requires, isPruned } = keep(loading, module, loadedModule)
      if (pruning === 'pruned' && isPruned) continue
      const nextPruning = pruning === 'unpruned' || !isPruned ? 'unpruned' : 'pruned'
      const by = module.version === '' ? module.path : keyOf(module)
      for (const require of requires) next.push({ module: require, pruning: nextPruning, by })
    }
    level = next.filter((queued) => isNew(loading, queued))
  }
}

function isNew({ queued }: Loading, { module, pruning }: Queued): boolean {
  const key = `${pruning} ${keyOf(module)}`
  return !queued.has(key) && queued.add(key) !== undefined
}

/** Remembers the requirements of a module, which raise the selected versions. */
function keep(loading: Loading, module: GoRequirement, { requires, go }: Pick<GoModule, 'requires' | 'go'>) {
  const key = keyOf(module)
  const cached = loading.loaded.get(key)
  if (cached !== undefined) return cached
  const kept = { requires: requires.filter((require) => !loading.isExcluded(require)), isPruned: listsEverything(go) }
  loading.loaded.set(key, kept)
  for (const { path, version } of kept.requires) {
    const selected = loading.selected.get(path)
    if (selected === undefined || (selected !== '' && goVersions.compare(selected, version) < 0))
      loading.selected.set(path, version)
  }
  return kept
}

async function loadOne(
  loading: Loading,
  { module, by }: Queued,
): Promise<Pick<GoModule, 'requires' | 'go'> | undefined> {
  // Other versions of a main module are loaded like those of any module.
  const main = module.version === '' ? loading.mains.find(({ path }) => path === module.path) : undefined
  if (main !== undefined) return main
  const key = keyOf(module)
  let answer = loading.answers.get(key)
  if (answer === undefined) {
    if (loading.answers.size >= loading.maxModules) {
      const reason = `Resolving ended early, after ${loading.maxModules} module versions`
      loading.failures.set('', { ...module, code: 'bound-met', reason, by })
      return undefined
    }
    answer = loading.reads.get(module, loading.replacementOf(module))
    loading.answers.set(key, answer)
  }
  const result = await answer
  if ('module' in result) return result.module
  if (!loading.failures.has(key)) loading.failures.set(key, { ...module, ...result, by })
  return undefined
}

/**
 * In a workspace, loads the selected versions of all required modules: requirements may name lower versions, whose own
 * requirements differ.
 */
async function reloadRaised(loading: Loading, roots: readonly GoRequirement[]): Promise<void> {
  const paths = new Set(roots.map(({ path }) => path))
  const seen = new Set<string>()
  const selectedOf = (path: string) => ({ path, version: loading.selected.get(path) ?? '' })
  for (;;) {
    const open = new Map<string, GoRequirement>()
    for (const path of paths) {
      const module = selectedOf(path)
      if (!seen.has(keyOf(module))) {
        open.set(keyOf(module), module)
        continue
      }
      for (const required of loading.loaded.get(keyOf(module))?.requires ?? []) {
        const chosen = selectedOf(required.path)
        const isRaised = chosen.version !== '' && goVersions.compare(chosen.version, required.version) > 0
        if (isRaised && !seen.has(keyOf(chosen))) open.set(keyOf(chosen), chosen)
      }
    }
    if (open.size === 0) return
    for (const [key, { path }] of open) {
      seen.add(key)
      paths.add(path)
    }
    await loadAll(
      loading,
      [...open.values()].map((module) => ({ module, pruning: 'workspace', by: keyOf(module) })),
    )
  }
}
