import type { Unresolved } from '../../dependency-graph.ts'
import type { PyPiReader } from '../../registries/pypi.ts'
import type { Reading, ReadOptions } from '../ecosystem.ts'
import { defaultPythonTarget } from '../python-target.ts'
import type { DeclaredDependencies, DeclaredRequirement } from './declarations.ts'
import { chooseEnvironment, type EnvironmentReading } from './packaging/choose-environment.ts'
import { describeTarget, type PythonEnvironment } from './packaging/environment.ts'
import type { SentKinds } from './project-documents.ts'
import { defaultPolicy } from './requirements/options.ts'
import { type RequestedPackages, toRequestedPackages } from './requirements/requested-packages.ts'
import type { LocatedRequirement } from './requirements/walk-files.ts'
import { toGraph } from './resolution/graph.ts'
import { createProjectReads } from './resolution/project-reads.ts'
import { resolveProject } from './resolution/resolve-project.ts'

export interface ResolveContext {
  /** The name of the manifest. */
  readonly manifest: string
  readonly files: SentKinds
  readonly reader: PyPiReader
  readonly options: ReadOptions
}

interface Asked extends EnvironmentReading {
  readonly requested: RequestedPackages
}

/** Resolves the dependencies of a manifest without a lockfile as pip does, together with those of all extras. */
export async function resolveDeclared(declared: DeclaredDependencies, context: ResolveContext): Promise<Reading> {
  const { manifest, files, reader, options } = context
  const included = declared.requirements.filter(({ kind }) => options.includeDev || kind !== 'dev')
  const { reading, unresolved: notFor } = chooseEnvironment(options.python ?? defaultPythonTarget, {
    declared: files.declared,
    file: manifest,
    readFor: (environment) => askOn(included, { manifest, environment }),
  })
  const { environment, requested } = reading
  const { preferred } = options
  const parts = { environment, policy: defaultPolicy, constraints: requested.constraints, preferred }
  const reads = createProjectReads(reader, { ...parts, indexes: [null], ...options.limits })
  const { direct } = requested
  const { chosen, failures, boundsMet } = await resolveProject(direct, { ...parts, reads })
  const { nodes, unresolved } = await toGraph({ chosen, direct, reads, environment })
  const all = [...declared.unresolved, ...declared.foreignRanges, ...requested.unresolved, ...failures, ...unresolved]
  const [target = manifest, ...others] = files.filesRead
  return {
    graph: { nodes: withKinds(nodes, included) },
    unresolved: [...notFor, ...all.map((unresolved) => placeIn(manifest, unresolved))],
    filesRead: [`${target} (for ${describeTarget(environment.target)})`, ...others],
    locked: false,
    excluded: excludedOf(declared, included, requested.forOthers),
    boundsMet: [...boundsMet],
  }
}

function askOn(
  included: readonly DeclaredRequirement[],
  { manifest, environment }: { manifest: string; environment: PythonEnvironment },
): Asked {
  const requirements = included.map(
    ({ parsed }): LocatedRequirement => ({ parsed, isHashed: false, via: [], line: 1, file: manifest }),
  )
  const requested = toRequestedPackages({ requirements, constraints: [] }, environment.markers)
  const packages = new Set(requested.direct.map(({ requirement }) => requirement.project)).size
  return { environment, requested, packages, forOthers: requested.forOthers }
}

/** TOML tells no lines; what names no file is about the manifest too. */
function placeIn(manifest: string, { line: _, file: __, ...entry }: Unresolved): Unresolved {
  const { name, requiredBy } = entry
  return requiredBy === 'requirements.txt'
    ? { ...entry, name: name === requiredBy ? manifest : name, requiredBy: manifest }
    : entry
}

/** Gives the edges of the project the kind of their declaration. */
function withKinds(
  nodes: Reading['graph']['nodes'],
  included: readonly DeclaredRequirement[],
): Reading['graph']['nodes'] {
  const kinds = new Map<string, DeclaredRequirement['kind']>()
  for (const { parsed, kind } of included) {
    const name = parsed.requirement?.project
    if (name !== undefined && kinds.get(name) !== 'prod') kinds.set(name, kind)
  }
  const [root, ...others] = nodes
  const edges = root!.edges.map((edge) => ({ ...edge, kind: kinds.get(nodes[edge.to]!.package.name) ?? edge.kind }))
  return [{ ...root!, edges }, ...others]
}

function excludedOf(
  { requirements, buildPackages }: DeclaredDependencies,
  included: readonly DeclaredRequirement[],
  forOthers: number,
): Reading['excluded'] {
  const namesOf = (list: readonly DeclaredRequirement[]) =>
    new Set(list.flatMap(({ parsed: { requirement } }) => requirement?.project ?? []))
  const taken = namesOf(included)
  const dev = [...namesOf(requirements)].filter((name) => !taken.has(name)).length
  return [
    ...(dev > 0 ? [{ reason: 'dev' as const, packages: dev }] : []),
    ...(buildPackages > 0 ? [{ reason: 'build' as const, packages: buildPackages }] : []),
    ...(forOthers > 0 ? [{ reason: 'other-environment' as const, packages: forOthers }] : []),
  ]
}
