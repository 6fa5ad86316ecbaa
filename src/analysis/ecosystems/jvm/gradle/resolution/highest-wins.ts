import type { Collection } from '#analysis/ecosystems/jvm/collect.ts'
import { type Exclusions, isExcluded, withExclusions } from '#analysis/ecosystems/jvm/exclusions.ts'
import { isCoordinate } from '#analysis/ecosystems/jvm/pom-reads.ts'
import type { Problem } from '#analysis/ecosystems/jvm/version-choice.ts'
import { type Published, requestOf } from './below.ts'
import type { GradleDependency } from './gradle-dependency.ts'
import { createStrictAbove } from './strict-above.ts'
import { toCollection } from './to-collection.ts'
import { compareGradleVersions } from './version-order.ts'
import type { Choice, Demand, Edge, HighestSettings, Holder, ManagedVersion, Module, Selected, Walk } from './walk.ts'

/** Passes with changed versions after which versions only increase, so that alternating choices terminate. */
const CHANGES_BOTH_WAYS = 30
/** Each pass resolves one level deeper. */
const MAX_PASSES = 1_000
/** Paths to a package with different exclusions that are distinguished. */
const MAX_CONTEXTS = 16

/**
 * Chooses one version of each module among the demands of all chosen modules; repeats until nothing changes. Versions
 * managed by resolved modules count too. An exclusion applies if all paths to a package have it.
 */
export async function collectHighest(
  direct: readonly GradleDependency[],
  settings: HighestSettings,
): Promise<Collection> {
  const chosen = new Map<string, Selected | Problem>()
  const published = new Map<string, Promise<Published>>()
  // A version that was replaced by a newer one of the same module: the newer one does not require itself.
  const moved = new Set<string>()
  let changed = 0
  for (let pass = 1; ; pass++) {
    const walk = walkOnce(direct, chosen, settings)
    for (const { from, to } of walk.edges) if (from === to) moved.add(to)
    const demands = demandsOf(walk)
    const changes = await Promise.all(
      [...walk.reached].map(async ([key, module]) => {
        const choice = await choose(module, demands(key), settings)
        const before = chosen.get(key)
        const kept = changed > CHANGES_BOTH_WAYS ? notLower(before, choice) : choice
        return { key, choice: kept, isHeld: kept !== choice, before, module }
      }),
    )
    const news = changes.filter(({ choice, before }) => before === undefined || !isSame(before, choice))
    if (news.length === 0 || pass === MAX_PASSES) {
      const unsettled = [...news, ...changes.filter(({ isHeld, key }) => isHeld && !moved.has(key))].map(
        ({ key }) => key,
      )
      return toCollection(walk, chosen, { settings, unsettled: new Set(unsettled) })
    }
    if (news.some(({ before }) => before !== undefined)) changed++
    const results = await Promise.all(news.map(({ module, choice }) => find(module, choice, { settings, published })))
    for (const [index, { key }] of news.entries()) chosen.set(key, results[index]!)
  }
}

interface Open {
  readonly from: string
  /** The requested part of the requiring module. */
  readonly request: string
  readonly dependencies: readonly GradleDependency[]
  readonly exclusions: Exclusions
}

function walkOnce(
  direct: readonly GradleDependency[],
  chosen: ReadonlyMap<string, Selected | Problem>,
  { below, excluded, maxPackages }: HighestSettings,
): Walk {
  const reached = new Map<string, Module>()
  const edges = new Map<string, Edge>()
  const holders = new Map<string, Holder>()
  const contexts = new Map<string, Set<Exclusions>>()
  const everywhere = withExclusions(undefined, excluded)
  const queue: Open[] = [{ from: '', request: '', dependencies: direct, exclusions: everywhere }]
  for (const { from, request, dependencies, exclusions } of queue) {
    for (const [index, dependency] of dependencies.entries()) {
      if (isExcluded(dependency, exclusions)) continue
      const key = keyOf(dependency)
      if (reached.size < maxPackages) reached.set(key, { group: dependency.group, artifact: dependency.artifact })
      const edgeKey = `${request}\n${index}`
      if (!edges.has(edgeKey)) edges.set(edgeKey, { from, to: key, dependency, isDirect: from === '' })
      const selected = chosen.get(key)
      if (selected === undefined || !('version' in selected)) continue
      const { dependencies: next, managed } = below(selected, dependency)
      const inner = withExclusions(exclusions, dependency.exclusions)
      const requestKey = requestOf(dependency)
      if (managed !== undefined) {
        holders.set(requestKey, { from: key, managed, isEnforced: dependency.category === 'enforced-platform' })
      }
      if (next.length > 0 && enter(contexts, requestKey, inner === undefined ? everywhere : inner, everywhere)) {
        const context = contexts.get(requestKey)!.has(everywhere) ? everywhere : inner
        queue.push({ from: key, request: requestKey, dependencies: next, exclusions: context })
      }
    }
  }
  return { reached, edges: [...edges.values()], holders: [...holders.values()] }
}

/**
 * Returns true if a package has to be visited with these exclusions: not if it was visited with the same or with none.
 */
function enter(
  contexts: Map<string, Set<Exclusions>>,
  key: string,
  exclusions: Exclusions,
  everywhere: Exclusions,
): boolean {
  const existing = contexts.get(key) ?? new Set()
  contexts.set(key, existing)
  if (existing.has(everywhere)) return false
  const text = textOf(exclusions)
  if ([...existing].some((exclusions) => textOf(exclusions) === text)) return false
  existing.add(existing.size >= MAX_CONTEXTS ? everywhere : exclusions)
  return true
}

const texts = new WeakMap<object, string>()

function textOf(exclusions: Exclusions): string {
  if (exclusions === undefined) return ''
  const cached = texts.get(exclusions)
  if (cached !== undefined) return cached
  const all: string[] = []
  for (let at: Exclusions = exclusions; at !== undefined; at = at.above) {
    all.push(...at.own.map(({ group, artifact }) => `${group}:${artifact}`))
  }
  const text = [...new Set(all)].sort().join(' ')
  texts.set(exclusions, text)
  return text
}

interface Demands {
  readonly demands: readonly Demand[]
  readonly managed: readonly ManagedVersion[]
}

/** Returns the demands on a module, without those below a module with another strict version. */
function demandsOf({ edges, holders }: Walk): (module: string) => Demands {
  const byModule = Map.groupBy(edges, ({ to }) => to)
  const strict = new Map<string, Set<string>>()
  for (const { from, managed } of holders) {
    if (managed.strict.size > 0) strict.set(from, new Set([...(strict.get(from) ?? []), ...managed.strict]))
  }
  const isOverruled = createStrictAbove(
    edges.map(({ from, to, dependency: { rich, endorsesStrict } }) => {
      return { from, to, isStrict: rich.strictly !== undefined, endorses: endorsesStrict }
    }),
    strict,
  )
  return (module) => ({
    demands: (byModule.get(module) ?? []).filter(({ from }) => !isOverruled(from, module)),
    managed: holders
      .filter(({ from }) => !isOverruled(from, module))
      .flatMap(({ managed, isEnforced }) => managed.find(module).map((rich) => ({ rich, isEnforced }))),
  })
}

async function choose(module: Module, { demands, managed }: Demands, settings: HighestSettings): Promise<Choice> {
  const choice = await settings.choose(module, demands, managed)
  if ('code' in choice || [module.group, module.artifact, choice.version].every(isCoordinate)) return choice
  return { code: 'not-in-registry', reason: 'Invalid coordinates' }
}

function notLower(before: Selected | Problem | undefined, choice: Choice): Choice {
  if (before === undefined || 'code' in before) return choice
  const isLower = 'code' in choice || compareGradleVersions(choice.version, before.version) < 0
  return isLower ? { version: before.version, ...(before.doubt && { doubt: before.doubt }) } : choice
}

function isSame(before: Selected | Problem, choice: Choice): boolean {
  if ('code' in before || 'code' in choice) return 'code' in before && 'code' in choice
  return before.version === choice.version && before.doubt?.reason === choice.doubt?.reason
}

interface Finding {
  readonly settings: HighestSettings
  readonly published: Map<string, Promise<Published>>
}

async function find(module: Module, choice: Choice, { settings, published }: Finding): Promise<Selected | Problem> {
  if ('code' in choice) return choice
  const key = `${keyOf(module)}:${choice.version}`
  const reading = published.get(key) ?? settings.find({ ...module, version: choice.version })
  published.set(key, reading)
  return { version: choice.version, doubt: choice.doubt, ...(await reading) }
}

function keyOf({ group, artifact }: Module): string {
  return `${group}:${artifact}`
}
