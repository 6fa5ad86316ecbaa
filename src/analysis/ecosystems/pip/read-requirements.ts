import type { Unresolved } from '../../dependency-graph.ts'
import type { PyPiReader } from '../../registries/pypi.ts'
import type { Manifest, Reading, ReadOptions } from '../ecosystem.ts'
import type { DirectPackage } from './asked-packages.ts'
import { askOn } from './choose-environment.ts'
import { defaultPythonTarget, describeTarget } from './environment.ts'
import { toGraph } from './graph.ts'
import { chooseIndexes } from './indexes.ts'
import { graphOfLocked, isLocked } from './locked.ts'
import { toOptions } from './options.ts'
import { readProjectFiles } from './project-files.ts'
import { createProjectReads } from './project-reads.ts'
import { resolveProject } from './resolve-project.ts'

/** What pip would install for a project's requirement files; nothing is asked of a registry when they list it all. */
export async function readRequirements(manifest: Manifest, reader: PyPiReader, options: ReadOptions): Promise<Reading> {
  const files = readProjectFiles(manifest, options.limits.maxNodes)
  const { environment, asked, unresolved: notFor } = askOn(options.python ?? defaultPythonTarget, files)
  const { direct, constraints, forOthers } = asked
  const common = {
    filesRead: files.filesRead.map((name, at) =>
      at === 0 ? `${name} (for ${describeTarget(environment.target)})` : name,
    ),
    excluded: forOthers === 0 ? [] : [{ reason: 'other-environment' as const, packages: forOthers }],
  }
  if (isLocked(direct, files.isGenerated)) {
    const unresolved = [...notFor, ...trulyLeftOut(files.unresolved, direct), ...asked.unresolved]
    return { graph: { nodes: graphOfLocked(direct) }, unresolved, locked: true, boundsMet: [], ...common }
  }
  const read = files.unresolved.filter(({ code }) => code !== 'not-in-lockfile')
  const unresolved = [...notFor, ...read, ...asked.unresolved]
  const choices = toOptions(files.options)
  const indexes = await chooseIndexes(choices, reader)
  const reads = createProjectReads(reader, {
    environment,
    policy: choices.policy,
    indexes: indexes.asked,
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

/** What one file leaves out another one may list; each is named once. */
function trulyLeftOut(unresolved: readonly Unresolved[], direct: readonly DirectPackage[]): Unresolved[] {
  const known = new Set(direct.map(({ requirement }) => requirement.project))
  return unresolved.filter(({ code, name }) => {
    if (code !== 'not-in-lockfile') return true
    const isNew = !known.has(name)
    known.add(name)
    return isNew
  })
}
