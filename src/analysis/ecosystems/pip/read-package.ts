import type { Package } from '../../dependency-graph.ts'
import type { PyPiReader } from '../../registries/pypi.ts'
import type { Reading, ReadOptions } from '../ecosystem.ts'
import { defaultPythonTarget } from '../python-target.ts'
import { toEnvironment } from './environment.ts'
import { toGraph } from './graph.ts'
import { defaultPolicy } from './options.ts'
import { isProjectName } from './project-name.ts'
import { createProjectReads } from './project-reads.ts'
import type { DirectPackage } from './requested-packages.ts'
import { parseRequirement } from './requirement.ts'
import { resolveProject } from './resolution/resolve-project.ts'

/** Reads the graph of one published version, as pip would install it alone. */
export async function readPackage(
  { name, version }: Package,
  reader: PyPiReader,
  options: ReadOptions,
): Promise<Reading> {
  const rest = { filesRead: [], locked: false, excluded: [] }
  const requirement = isProjectName(name) ? parseRequirement(`${name}==${version}`) : undefined
  if (requirement === undefined || requirement.specifiers.length !== 1 || /[\s,;*]/.test(version)) {
    const reason = 'This is no version of a Python package'
    const unknown = { name, range: version, code: 'no-matching-version', reason, requiredBy: 'the request' } as const
    return {
      graph: { nodes: [{ package: { name: '', version: '' }, edges: [] }] },
      unresolved: [unknown],
      boundsMet: [],
      ...rest,
    }
  }
  const environment = toEnvironment(options.python ?? defaultPythonTarget)
  const parts = { environment, policy: defaultPolicy, constraints: new Map() }
  const reads = createProjectReads(reader, { ...parts, indexes: [null], ...options.limits })
  const direct: DirectPackage[] = [
    { requirement, elsewhere: undefined, isHashed: false, via: [], line: 1, file: undefined },
  ]
  const { chosen, failures, boundsMet } = await resolveProject(direct, { ...parts, reads })
  const { nodes, unresolved } = await toGraph({ chosen, direct, reads, environment })
  return {
    graph: { nodes },
    unresolved: [...failures, ...unresolved].map((each) => {
      if (each.line === undefined) return each
      const { line, ...entry } = each
      return { ...entry, name, range: version, requiredBy: 'the request' }
    }),
    boundsMet: [...boundsMet],
    ...rest,
  }
}
