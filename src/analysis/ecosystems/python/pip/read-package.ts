import type { Package } from '#analysis/dependency-graph.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { defaultPythonTarget } from '#analysis/ecosystems/python-target.ts'
import type { PyPiReader } from '#analysis/registries/pypi.ts'
import { toEnvironment } from '../packaging/environment.ts'
import { isProjectName } from '../packaging/project-name.ts'
import { parseRequirement } from '../packaging/requirement.ts'
import { defaultPolicy } from '../requirements/options.ts'
import type { DirectPackage } from '../requirements/requested-packages.ts'
import { toGraph } from '../resolution/graph.ts'
import { createProjectReads } from '../resolution/project-reads.ts'
import { resolveProject } from '../resolution/resolve-project.ts'

/** Reads the graph of one published version, as pip would install it alone. */
export async function readPackage(
  { name, version }: Package,
  reader: PyPiReader,
  options: ReadOptions,
): Promise<Reading> {
  const rest = { filesRead: [], locked: false, excluded: [] }
  const requirement = isProjectName(name) ? parseRequirement(`${name}==${version}`) : undefined
  if (requirement === undefined || requirement.specifiers.length !== 1 || /[\s,;*]/.test(version)) {
    const reason = 'Not a PEP 440 version'
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
    unresolved: [...failures, ...unresolved].map((failure) => {
      if (failure.line === undefined) return failure
      const { line, ...entry } = failure
      return { ...entry, name, range: version, requiredBy: 'the request' }
    }),
    boundsMet: [...boundsMet],
    ...rest,
  }
}
