import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { rubygemsVersions } from '#analysis/versions/rubygems.ts'
import type { DependencyKind, GraphNode, Unresolved } from '../../dependency-graph.ts'
import type { Reading, ReadOptions } from '../ecosystem.ts'
import type { DeclaredGem, Gemfile } from './gemfile.ts'
import { anything, type GemfileLock, type LockedDependency, type LockedGem } from './gemfile-lock.ts'
import { reportPlugins } from './plugins.ts'

interface Walk {
  readonly lock: GemfileLock
  readonly gemfile: Gemfile | undefined
  readonly file: 'target' | number
  readonly options: ReadOptions
  readonly byName: ReadonlyMap<string, readonly LockedGem[]>
  readonly nodes: GraphNode[]
  /** Known edges, each by its ends and its range. */
  readonly connected: Set<string>
  /** Gems of the Gemfile, by name. */
  readonly declared: ReadonlyMap<string, readonly DeclaredGem[]>
  /** By name and version: one package for all platforms. */
  readonly indexes: Map<string, number>
  readonly queue: LockedGem[]
  readonly followed: Set<LockedGem>
  readonly unresolved: Map<string, Unresolved>
  readonly boundsMet: string[]
  readonly forOthers: Set<string>
}

type LockedReading = Pick<Reading, 'graph' | 'unresolved' | 'excluded' | 'boundsMet'>

/**
 * Builds the graph of a Gemfile.lock for all its platforms. The gemspec beside the Gemfile is the project; gems in
 * other folders of the project count as packages. The lock does not mark development gems; a Gemfile sent with it does,
 * by the groups `development` and `test`.
 */
export function graphOfLock(
  { content: lock, file }: { content: GemfileLock; file: 'target' | number },
  gemfile: Gemfile | undefined,
  options: ReadOptions,
): LockedReading {
  const walk = startWalk({ lock, file, gemfile }, options)
  const own = lock.gems.filter(isProject)
  const dev = devOnly(gemfile)
  const left: LockedDependency[] = []
  for (const dependency of lock.direct) {
    const isDev = dev.has(dependency.name)
    if (isDev && !options.includeDev) left.push(dependency)
    else followOfProject(walk, dependency, isDev ? 'dev' : 'prod')
  }
  for (const { dependencies } of own) for (const dependency of dependencies) follow(walk, 0, dependency)
  drain(walk)
  reportMissing(walk, gemfile)
  const excluded = countExcluded(walk, left)
  takeInStrays(walk, excluded.gems)
  return {
    graph: { nodes: walk.nodes },
    unresolved: [...walk.unresolved.values()],
    excluded: [
      ...(excluded.packages === 0 ? [] : [{ reason: 'dev' as const, packages: excluded.packages }]),
      ...(walk.forOthers.size === 0 ? [] : [{ reason: 'other-environment' as const, packages: walk.forOthers.size }]),
    ],
    boundsMet: [...walk.boundsMet, ...reportSections(lock)],
  }
}

function startWalk({ lock, file, gemfile }: Pick<Walk, 'lock' | 'file' | 'gemfile'>, options: ReadOptions): Walk {
  const [own, ...others] = lock.gems.filter(isProject)
  const name = others.length === 0 ? (own?.name ?? '') : ''
  const bundler = toBundler(lock)
  const gems = bundler === undefined ? lock.gems : [...lock.gems, bundler]
  return {
    lock,
    gemfile,
    file,
    options,
    byName: Map.groupBy(gems, (gem) => gem.name),
    nodes: [{ package: { name, version: name === '' ? '' : own!.version }, edges: [] }],
    connected: new Set(),
    declared: Map.groupBy(gemfile?.gems ?? [], (gem) => gem.name),
    indexes: new Map(),
    queue: [],
    followed: new Set(),
    unresolved: new Map(),
    boundsMet: [],
    forOthers: new Set(),
  }
}

/** Returns Bundler itself, which is locked in its own section. */
function toBundler({ gems, bundledWith }: GemfileLock): LockedGem | undefined {
  if (bundledWith === undefined || gems.some(({ name }) => name === 'bundler')) return undefined
  return {
    name: 'bundler',
    version: bundledWith,
    platform: undefined,
    source: { kind: 'GEM', remotes: [] },
    dependencies: [],
  }
}

/** Returns true for the gem whose gemspec lies beside the Gemfile. */
function isProject({ source }: LockedGem): boolean {
  return source.kind === 'PATH' && source.remotes.every((remote) => remote === '.' || remote === './')
}

function followOfProject(walk: Walk, dependency: LockedDependency, kind: DependencyKind): void {
  const { name, requirement } = dependency
  if (name !== 'bundler' && !walk.byName.has(name)) {
    if (isForOthers(walk, name)) {
      walk.boundsMet.push(`${shorten(name)} is required, but not for the platforms of the lockfile`)
      walk.forOthers.add(name)
      return
    }
    const reason = walk.gemfile
      ? 'The lockfile has no entry for it, so that Bundler would resolve anew; run bundle lock'
      : 'The lockfile has no entry for it: it is for other platforms, which the Gemfile would tell, or Bundler would resolve anew'
    report(walk, { dependency, code: 'not-in-lockfile', reason, from: 0 })
    return
  }
  const locked = walk.byName.get(name)?.filter((gem) => !isProject(gem)) ?? []
  for (const { version, source } of locked) {
    if (source.kind !== 'GEM' || rubygemsVersions.satisfies(version, requirement)) continue
    if (!rubygemsVersions.isValid(version) || !rubygemsVersions.isRange(requirement)) continue
    const reason = `The lockfile holds ${version}, which the requirement does not allow; run bundle lock to bring them together`
    report(walk, { dependency, code: 'not-in-lockfile', reason, from: 0 })
  }
  follow(walk, 0, dependency, kind)
}

/**
 * Locked platforms of Bundler's platform names (CurrentRuby); all others resolve as `ruby`, which every lock includes.
 */
const foreign: readonly [name: RegExp, locked: RegExp][] = [
  [/^jruby/, /^(?:java|universal-java|jruby)/],
  [/^(?:windows|mswin|mingw|x64_mingw)/, /mswin|mingw|windows/],
]

/** Returns true if the sent Gemfile requires the gem only on platforms outside the lock. */
function isForOthers({ declared, lock }: Walk, name: string): boolean {
  if (lock.platforms.length === 0) return false
  const declarations = declared.get(name) ?? []
  const isLocked = (platform: string) => {
    const locked = foreign.find(([names]) => names.test(platform))?.[1]
    return locked === undefined || lock.platforms.some((platform) => locked.test(platform))
  }
  return (
    declarations.length > 0 && declarations.every(({ platforms }) => platforms.length > 0 && !platforms.some(isLocked))
  )
}

function drain(walk: Walk): void {
  for (let gem = walk.queue.pop(); gem !== undefined; gem = walk.queue.pop()) {
    const from = walk.indexes.get(labelOf(gem))!
    for (const dependency of gem.dependencies) follow(walk, from, dependency)
  }
}

function follow(walk: Walk, from: number, dependency: LockedDependency, kind: DependencyKind = 'prod'): void {
  const { name, requirement } = dependency
  const gems = walk.byName.get(name)
  if (gems === undefined) {
    const reason =
      name === 'bundler'
        ? 'The lockfile does not give the version of Bundler'
        : 'The lockfile has no entry for it; run bundle lock to bring the two together'
    report(walk, { dependency, code: 'not-in-lockfile', reason, from })
    return
  }
  for (const gem of gems) {
    if (isProject(gem)) continue
    const to = nodeOf(walk, gem)
    const sizeBefore = walk.connected.size
    if (walk.connected.add(`${from} ${to} ${requirement}`).size > sizeBefore)
      walk.nodes[from]!.edges.push({ to, range: requirement, kind })
    reportForeign(walk, { gem, dependency, from })
  }
}

function nodeOf(walk: Walk, gem: LockedGem): number {
  const label = labelOf(gem)
  let index = walk.indexes.get(label)
  if (index === undefined) {
    index = walk.nodes.length
    const { maxNodes } = walk.options.limits
    if (index > maxNodes) {
      throw new Unreadable(`The lockfile has more than ${maxNodes} gems, the limit`, { file: walk.file })
    }
    const isProject = gem.source.kind === 'PATH'
    walk.nodes.push({ package: { name: gem.name, version: gem.version }, edges: [], ...(isProject && { isProject }) })
    walk.indexes.set(label, index)
  }
  if (!walk.followed.has(gem)) {
    walk.followed.add(gem)
    walk.queue.push(gem)
  }
  return index
}

/** Reports a gem that no registry published; it is still matched by name and version. */
function reportForeign(
  walk: Walk,
  { gem, dependency, from }: { gem: LockedGem; dependency: LockedDependency; from: number },
): void {
  const { name, version, source } = gem
  const origin = source.kind === 'GIT' ? 'a git repository' : source.kind === 'PATH' ? 'a local path' : undefined
  const isInProject =
    source.kind === 'PATH' && source.remotes.every((remote) => !/^(?:\.\.|\/|~|[A-Za-z]:)/.test(remote))
  const isKnown = rubygemsVersions.isValid(version)
  if (isKnown && (origin === undefined || isInProject)) return
  const reason = isKnown
    ? `It comes from ${origin}: advisories for ${name}@${version} in the registry may or may not apply to it`
    : `"${version}" is not a gem version, so no advisory can be matched`
  report(walk, { dependency, code: isKnown ? 'not-from-registry' : 'not-in-lockfile', reason, from })
}

interface Report {
  readonly dependency: LockedDependency
  readonly code: Unresolved['code']
  readonly reason: string
  readonly from: number
}

/** Reports each gem once per reason. */
function report(walk: Walk, { dependency, code, reason, from }: Report): void {
  const { name, requirement } = dependency
  const key = `${name}\n${reason}`
  if (walk.unresolved.has(key)) return
  const { package: asking } = walk.nodes[from]!
  const requiredBy = from === 0 ? asking.name || 'Gemfile' : `${asking.name}@${asking.version}`
  const range = withoutCredentials(shorten(requirement))
  walk.unresolved.set(key, { name: shorten(name), range, code, reason, requiredBy })
}

/** Reports gems of the sent Gemfile that the lock lacks. */
function reportMissing(walk: Walk, gemfile: Gemfile | undefined): void {
  const directNames = new Set(walk.lock.direct.map(({ name }) => name))
  for (const gem of gemfile?.gems ?? []) reportOutgrown(walk, gem)
  const add = (entry: Pick<Unresolved, 'name' | 'range' | 'code' | 'reason'> & { line: number }) => {
    const file = walk.file === 'target' ? { file: 'Gemfile' } : {}
    walk.unresolved.set(`${entry.name}\n${entry.reason}`, { ...entry, requiredBy: 'Gemfile', ...file })
  }
  for (const { name, isNamed, requirement = anything, line, isConditional } of gemfile?.gems ?? []) {
    if (!isNamed || directNames.has(name) || isConditional) continue
    const reason =
      'The Gemfile requires it, but the lockfile does not have it; run bundle lock to bring the two together'
    add({ name: shorten(name), range: requirement, code: 'not-in-lockfile', reason, line })
  }
  if (gemfile === undefined) return
  for (const plugin of reportPlugins(gemfile)) add(plugin)
  if (mayAccountFor(walk, gemfile)) return
  const reason =
    'The gem of this line is only known when the Gemfile runs, and no gem of the lockfile matches; run bundle lock to bring the two together'
  const lines = [...gemfile.gems.filter(({ isNamed }) => !isNamed), ...gemfile.notStatic.filter(({ mayAsk }) => mayAsk)]
  for (const { source, line } of lines) {
    add({ name: shorten(withoutCredentials(source)), range: '', code: 'not-static', reason, line })
  }
}

/** True when the lock holds gems that the Gemfile does not name: lines that have to be run may have asked for them. */
function mayAccountFor({ lock }: Walk, { gems, gemspecLine }: Gemfile): boolean {
  const gemNames = new Set(gems.map(({ name }) => name))
  const own = new Set(lock.gems.filter(isProject).map(({ name }) => name))
  return gemspecLine !== undefined || lock.direct.some(({ name }) => !gemNames.has(name) && !own.has(name))
}

/** Reports a gem locked outside of the Gemfile's range: Bundler would resolve again. */
function reportOutgrown(walk: Walk, { name, requirement, elsewhere, isConditional }: DeclaredGem): void {
  if (requirement === undefined || elsewhere !== undefined || isConditional) return
  if (!rubygemsVersions.isRange(requirement)) return
  const fits = ({ source, version }: LockedGem) =>
    source.kind !== 'GEM' || !rubygemsVersions.isValid(version) || rubygemsVersions.satisfies(version, requirement)
  const locked = walk.byName.get(name) ?? []
  if (locked.length === 0 || locked.some(fits)) return
  const reason = `The lockfile holds ${locked[0]!.version}, which the Gemfile does not allow; run bundle lock to bring them together`
  report(walk, { dependency: { name, requirement }, code: 'not-in-lockfile', reason, from: 0 })
}

/** Returns gems that only development groups of the Gemfile require. */
export function devOnly(gemfile: Gemfile | undefined): Set<string> {
  const byName = Map.groupBy(gemfile?.gems ?? [], ({ name }) => name)
  const isDev = (groups: readonly string[]) =>
    groups.length > 0 && groups.every((group) => group === 'development' || group === 'test')
  return new Set([...byName].filter(([, gems]) => gems.every(({ groups }) => isDev(groups))).map(([name]) => name))
}

function countExcluded(walk: Walk, left: readonly LockedDependency[]) {
  const gems = new Set<LockedGem>()
  const add = ({ name }: LockedDependency) => {
    for (const gem of walk.byName.get(name) ?? []) if (!walk.followed.has(gem)) gems.add(gem)
  }
  for (const dependency of left) add(dependency)
  for (const gem of gems) for (const dependency of gem.dependencies) add(dependency)
  const labels = [...gems].filter((gem) => !isProject(gem)).map(labelOf)
  return { gems, packages: new Set(labels.filter((label) => !walk.indexes.has(label))).size }
}

/** Includes unreached gems: Bundler keeps only needed ones, so the gem that requires them is missing. */
function takeInStrays(walk: Walk, excluded: ReadonlySet<LockedGem>): void {
  const excludedLabels = new Set([...excluded].map(labelOf))
  const strays = walk.lock.gems.filter(
    (gem) => !isProject(gem) && !walk.indexes.has(labelOf(gem)) && !excludedLabels.has(labelOf(gem)),
  )
  if (strays.length === 0) return
  const labels = [...new Set(strays.map(labelOf))]
  const many = labels.length === 1 ? '1 gem' : `${labels.length} gems`
  const shown = `${labels.slice(0, 5).join(', ')}${labels.length > 5 ? ', …' : ''}`
  walk.boundsMet.push(`${many} of the lockfile required by nothing, tested all the same: ${shown}`)
  const required = new Set(
    strays.flatMap(({ name, dependencies }) =>
      dependencies.map((dependency) => dependency.name).filter((dependencyName) => dependencyName !== name),
    ),
  )
  for (const gem of [...strays.filter(({ name }) => !required.has(name)), ...strays]) {
    if (walk.indexes.has(labelOf(gem))) continue
    follow(walk, 0, { name: gem.name, requirement: anything })
    drain(walk)
  }
}

function reportSections({ unknownSections }: GemfileLock): string[] {
  return unknownSections
    .slice(0, 5)
    .map((section) => `The section "${section.slice(0, 100)}" of the lockfile is not known`)
}

function labelOf({ name, version }: LockedGem): string {
  return `${name}@${version}`
}
