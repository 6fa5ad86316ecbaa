import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { rubygemsVersions } from '#analysis/versions/rubygems.ts'
import type { DependencyKind, GraphNode, Package, Unresolved } from '../../dependency-graph.ts'
import type { RubyGemsReader } from '../../registries/rubygems.ts'
import type { Reading, ReadOptions } from '../ecosystem.ts'
import { createGemReads } from './gem-reads.ts'
import type { DeclaredGem, Gemfile } from './gemfile.ts'
import { devOnly } from './lock-graph.ts'
import { reportPlugins } from './plugins.ts'
import type { ProjectFiles } from './project-files.ts'
import { type Resolution, resolveGems } from './resolve-gems.ts'

/** The project's own dependencies, in file order. */
interface Direct {
  readonly name: string
  readonly requirement: string
  readonly kind: DependencyKind
  readonly line?: number
}

/** Reads a Gemfile without a lock: the versions that `bundle lock` would choose today, for the platform `ruby`. */
export async function resolveGemfile(
  { gemfile, gemspec, filesRead }: ProjectFiles & { readonly gemfile: Gemfile },
  reader: RubyGemsReader,
  options: ReadOptions,
): Promise<Reading> {
  const declared = [...gemfile.gems, ...(gemfile.gemspecLine === undefined ? [] : (gemspec ?? []))]
  const dev = devOnly({ ...gemfile, gems: declared })
  const included = declared.filter(({ name }) => options.includeDev || !dev.has(name))
  const direct = included.flatMap((gem): Direct[] => {
    const { name, requirement, elsewhere, line } = gem
    if (requirement === undefined || elsewhere !== undefined) return []
    return [{ name, requirement, kind: dev.has(name) ? 'dev' : 'prod', line }]
  })
  const resolution = await resolveGems(direct, createGemReads(reader), options)
  const nodes = graphOf(resolution, direct)
  const left = new Set(
    declared.filter(({ name }) => !included.some((gem) => gem.name === name)).map(({ name }) => name),
  )
  const leftOut = [...left].filter((name) => !resolution.chosen.has(name)).length
  return {
    graph: { nodes },
    unresolved: [
      ...included.flatMap(reportUnread),
      ...reportLines(gemfile, gemspec !== undefined),
      ...reportPlugins(gemfile),
      ...toUnresolved(resolution, direct),
    ],
    filesRead,
    locked: false,
    excluded: leftOut === 0 ? [] : [{ reason: 'dev', packages: leftOut }],
    boundsMet: limitsOf(resolution),
  }
}

/** Reads the graph of one published gem. */
export async function resolvePackage(
  { name, version }: Package,
  reader: RubyGemsReader,
  options: ReadOptions,
): Promise<Reading> {
  const rest = { filesRead: [], locked: false, excluded: [] }
  if (version.trim() !== version || !rubygemsVersions.isValid(version) || version === '') {
    const reason = 'Not a gem version'
    const unresolved = { name, range: version, code: 'no-matching-version', reason, requiredBy: 'the request' } as const
    return { graph: { nodes: [toRoot()] }, unresolved: [unresolved], boundsMet: [], ...rest }
  }
  const direct: Direct[] = [{ name, requirement: `= ${version}`, kind: 'prod' }]
  const resolution = await resolveGems(direct, createGemReads(reader), options)
  const unresolved = toUnresolved(resolution, direct).map((unresolved) =>
    unresolved.name === name ? { ...unresolved, range: version, requiredBy: 'the request' } : unresolved,
  )
  return { graph: { nodes: graphOf(resolution, direct) }, unresolved, boundsMet: limitsOf(resolution), ...rest }
}

/** Resolves a nameless project with all these gems. */
export async function resolveTogether(
  requirements: readonly { readonly name: string; readonly requirement: string }[],
  reader: RubyGemsReader,
  options: ReadOptions,
): Promise<Reading> {
  const direct = requirements.map((requirement): Direct => ({ ...requirement, kind: 'prod' }))
  const resolution = await resolveGems(direct, createGemReads(reader), options)
  return {
    graph: { nodes: graphOf(resolution, direct) },
    unresolved: toUnresolved(resolution, direct),
    filesRead: [],
    locked: false,
    excluded: [],
    boundsMet: limitsOf(resolution),
  }
}

function toRoot(): GraphNode {
  return { package: { name: '', version: '' }, edges: [] }
}

/** Builds the graph reached from the project, level by level. */
function graphOf({ chosen }: Resolution, direct: readonly Direct[]): GraphNode[] {
  const nodes = [toRoot()]
  const indexes = new Map<string, number>()
  const queue: string[] = []
  const connect = (from: number, { name, requirement, kind }: Direct) => {
    const gem = chosen.get(name)
    if (gem === undefined) return
    let to = indexes.get(name)
    if (to === undefined) {
      to = nodes.length
      nodes.push({ package: { name, version: gem.version }, edges: [] })
      indexes.set(name, to)
      queue.push(name)
    }
    nodes[from]!.edges.push({ to, range: requirement, kind })
  }
  for (const dependency of direct) connect(0, dependency)
  for (const name of queue) {
    for (const dependency of chosen.get(name)!.dependencies)
      connect(indexes.get(name)!, { ...dependency, kind: 'prod' })
  }
  return nodes
}

function toUnresolved({ chosen, failures }: Resolution, direct: readonly Direct[]): Unresolved[] {
  return failures.map(({ name, requirement, by, code, reason }) => {
    const line = by === undefined ? direct.find((direct) => direct.name === name)?.line : undefined
    const requiredBy = by === undefined ? 'Gemfile' : `${by}@${chosen.get(by)?.version ?? '?'}`
    const unresolved = { name, range: requirement, code, reason, requiredBy }
    return line === undefined ? unresolved : { ...unresolved, line }
  })
}

/** Reports gems from other sources, or whose requirement would have to be run. */
function reportUnread({ name, requirement, elsewhere, line, source }: DeclaredGem): Unresolved[] {
  const requiredBy = 'Gemfile'
  if (elsewhere !== undefined) {
    const reason = `It comes from ${elsewhere}, which is not read without a Gemfile.lock`
    return [{ name, range: requirement ?? '', code: 'not-from-registry', reason, requiredBy, line }]
  }
  if (requirement !== undefined) return []
  const range = shorten(withoutCredentials(source))
  const reason = 'The gem of this line is only known when the Gemfile runs; send the Gemfile.lock'
  return [{ name, range, code: 'not-static', reason, requiredBy, line }]
}

function reportLines({ notStatic, gemspecLine }: Gemfile, hasGemspec: boolean): Unresolved[] {
  const lines = notStatic.map(({ line, source }): Unresolved => {
    const name = shorten(withoutCredentials(source))
    const reason = 'What this line does is only known when the Gemfile runs; send the Gemfile.lock'
    return { name, range: '', code: 'not-static', reason, requiredBy: 'Gemfile', line }
  })
  if (gemspecLine === undefined || hasGemspec) return lines
  const reason = 'The gemspec was not sent, so its dependencies are not known'
  return [
    ...lines,
    { name: 'gemspec', range: '', code: 'not-static', reason, requiredBy: 'Gemfile', line: gemspecLine },
  ]
}

function limitsOf({ isWhole, chosen }: Resolution): string[] {
  return isWhole ? [] : [`Resolving ended early, with ${chosen.size} gems decided`]
}
