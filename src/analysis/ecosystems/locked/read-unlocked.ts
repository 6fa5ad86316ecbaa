import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { GraphNode, Unresolved } from '../../dependency-graph.ts'
import type { Reading, ReadOptions } from '../ecosystem.ts'
import type { Requirement } from './locked-project.ts'

/** A declared dependency of a manifest without a lockfile. */
export interface Declared extends Omit<Requirement, 'key'> {
  /** The only version that the tool can choose. */
  readonly version?: string
  /** The reason why its version is unknown. Default: there is no lockfile. */
  readonly reason?: string
}

export interface UnlockedProject {
  readonly name: string
  readonly version: string
  readonly manifestName: string
  /** `Run composer update and commit composer.lock`. */
  readonly remedy: string
  readonly declared: readonly Declared[]
  readonly unresolved: readonly Unresolved[]
  readonly filesRead: readonly string[]
}

/** Reads a manifest without a lockfile: pinned versions are tested, all others are reported as unknown. */
export function readUnlocked(project: UnlockedProject, { includeDev }: ReadOptions): Reading {
  const counted = project.declared.filter(({ kind }) => includeDev || kind !== 'dev')
  const root: GraphNode = { package: { name: project.name, version: project.version }, edges: [] }
  const nodes = [root]
  const unresolved: Unresolved[] = [...project.unresolved]
  for (const { name, range, kind, version, line, reason } of counted) {
    if (version !== undefined) {
      root.edges.push({ to: nodes.length, range, kind })
      nodes.push({ package: { name, version }, edges: [] })
    }
    const lacking = version === undefined ? 'Its version is' : 'The packages that it requires are'
    unresolved.push({
      name: shorten(name),
      range: withoutCredentials(shorten(range)),
      code: 'version-unknown',
      reason: reason ?? `${lacking} unknown without a lockfile. ${project.remedy}`,
      requiredBy: project.manifestName,
      ...(line !== undefined && { line }),
    })
  }
  const excluded = new Set(project.declared.filter((one) => !counted.includes(one)).map(({ name }) => name)).size
  return {
    graph: { nodes },
    unresolved,
    filesRead: [...project.filesRead],
    locked: false,
    excluded: excluded === 0 ? [] : [{ reason: 'dev', packages: excluded }],
    boundsMet: [],
  }
}
