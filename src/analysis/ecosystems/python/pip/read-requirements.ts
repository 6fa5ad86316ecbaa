import type { Unresolved } from '#analysis/dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { defaultPythonTarget } from '#analysis/ecosystems/python-target.ts'
import type { PyPiReader } from '#analysis/registries/pypi.ts'
import { chooseEnvironment, type EnvironmentReading } from '../packaging/choose-environment.ts'
import { describeTarget, type PythonEnvironment } from '../packaging/environment.ts'
import { toOptions } from '../requirements/options.ts'
import { type ProjectFiles, readProjectFiles } from '../requirements/project-files.ts'
import { type DirectPackage, type RequestedPackages, toRequestedPackages } from '../requirements/requested-packages.ts'
import { targetName } from '../requirements/walk-files.ts'
import { toGraph } from '../resolution/graph.ts'
import { graphOfLocked, isLocked } from '../resolution/locked.ts'
import { createProjectReads } from '../resolution/project-reads.ts'
import { resolveProject } from '../resolution/resolve-project.ts'
import { chooseIndexes } from './indexes.ts'

/** Reads the packages that pip would install for requirements files; asks no registry if they list everything. */
export async function readRequirements(manifest: Manifest, reader: PyPiReader, options: ReadOptions): Promise<Reading> {
  const files = readProjectFiles(manifest, options.limits.maxNodes)
  const { reading, unresolved: notFor } = chooseEnvironment(options.python ?? defaultPythonTarget, {
    declared: files.declared,
    file: targetName,
    readFor: (environment) => requestFor(files, environment),
  })
  const { environment, requested } = reading
  const { direct, constraints, forOthers } = requested
  const common = {
    filesRead: files.filesRead.map((name, at) =>
      at === 0 ? `${name} (for ${describeTarget(environment.target)})` : name,
    ),
    excluded: forOthers === 0 ? [] : [{ reason: 'other-environment' as const, packages: forOthers }],
  }
  if (options.preferred === undefined && isLocked(direct, files.isGenerated)) {
    const unresolved = [...notFor, ...stillOmitted(files.unresolved, direct), ...requested.unresolved]
    return { graph: { nodes: graphOfLocked(direct) }, unresolved, locked: true, boundsMet: [], ...common }
  }
  const read = files.unresolved.filter(({ code }) => code !== 'not-in-lockfile')
  const unresolved = [...notFor, ...read, ...requested.unresolved]
  const choices = toOptions(files.options)
  const indexes = await chooseIndexes(choices, reader)
  const reads = createProjectReads(reader, {
    environment,
    policy: choices.policy,
    indexes: indexes.indexes,
    ...options.limits,
  })
  const { chosen, failures, boundsMet } = await resolveProject(direct, {
    reads,
    environment,
    policy: choices.policy,
    constraints,
  })
  const graph = await toGraph({ chosen, direct, reads, environment })
  return {
    graph: { nodes: graph.nodes },
    unresolved: [...unresolved, ...indexes.unresolved, ...failures, ...graph.unresolved],
    locked: false,
    boundsMet: [...boundsMet],
    ...common,
  }
}

function requestFor(
  files: ProjectFiles,
  environment: PythonEnvironment,
): EnvironmentReading & { readonly requested: RequestedPackages } {
  const requested = toRequestedPackages(files, environment.markers)
  const packages = new Set(requested.direct.map(({ requirement }) => requirement.project)).size
  return { environment, requested, packages, forOthers: requested.forOthers }
}

/** Removes omissions of one file that another one lists; reports each once. */
function stillOmitted(unresolved: readonly Unresolved[], direct: readonly DirectPackage[]): Unresolved[] {
  const names = new Set(direct.map(({ requirement }) => requirement.project))
  return unresolved.filter(({ code, name }) => {
    if (code !== 'not-in-lockfile') return true
    const isNew = !names.has(name)
    names.add(name)
    return isNew
  })
}
