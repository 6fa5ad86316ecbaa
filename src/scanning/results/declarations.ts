import type { DependencyGraph, Edge, FilePlace } from '#analysis/dependency-graph.ts'
import { folderOf, resolve } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import type { Declaration } from '#analysis/ecosystems/declaration.ts'
import type { Manifest, Reading } from '#analysis/ecosystems/ecosystem.ts'
import type { TestContext } from './context.ts'
import type { DeclarationPlace } from './test-result.ts'

/** Returns the line that declares a direct dependency, given its node in the graph; undefined if unknown. */
export type FindDeclaration = (direct: number) => DeclarationPlace | undefined

/** Locates the direct dependencies of a project. Reads its files again, so call it only for results with issues. */
export async function openDeclarations(
  { graph, filesRead }: Reading,
  { ecosystem, manifest, numberOf }: Pick<TestContext, 'ecosystem' | 'manifest' | 'numberOf'>,
): Promise<FindDeclaration> {
  if (manifest === undefined) return () => undefined
  const byName = Map.groupBy((await ecosystem.locate?.(manifest)) ?? [], ({ name }) => name)
  const edges = Map.groupBy(graph.nodes[0]?.edges ?? [], ({ to }) => to)
  return (direct) => {
    const own = edges.get(direct) ?? []
    const position = own.find(({ declaredAt }) => declaredAt !== undefined)?.declaredAt
    if (position !== undefined) {
      const fileName = position.file === 'target' ? toFileName(filesRead[0]) : undefined
      return toPlace({ ...position, fileName }, { manifest, numberOf })
    }
    const declaration = choose(candidatesOf(graph, direct, byName), graph.nodes[direct]?.package.version, own)
    return declaration && toPlace(declaration, { manifest, numberOf })
  }
}

function candidatesOf(
  { nodes }: DependencyGraph,
  direct: number,
  byName: ReadonlyMap<string, readonly Declaration[]>,
): readonly Declaration[] {
  const name = nodes[direct]?.package.name ?? ''
  const base = name.slice(0, Math.max(0, name.lastIndexOf('_')))
  return byName.get(name) ?? byName.get(base)?.filter(({ isCross }) => isCross) ?? []
}

/**
 * Prefers a declaration in a manifest, with the same range if there are several, to a lockfile entry with the version.
 */
function choose(
  candidates: readonly Declaration[],
  version: string | undefined,
  edges: readonly Edge[],
): Declaration | undefined {
  const fitting = candidates.filter((candidate) => candidate.version === undefined || candidate.version === version)
  const written = fitting.filter((declaration) => declaration.version === undefined)
  const isSame = ({ range }: Declaration) => edges.some((edge) => edge.range === range?.text)
  return written.find(isSame) ?? written[0] ?? fitting[0]
}

/** Names the file by its path in the repository, else by its usual name or its position. */
function toPlace(
  { file, line, fileName }: FilePlace & { readonly fileName?: string | undefined },
  { manifest: { places }, numberOf = (index) => index }: { manifest: Manifest } & Pick<TestContext, 'numberOf'>,
) {
  if (places !== undefined) {
    const seen = file === 'target' ? undefined : places.additional[file]
    const path = seen === undefined ? places.target : resolve(folderOf(places.target), seen)
    return path === undefined ? undefined : { file: path, line }
  }
  if (file === 'target') return { file: fileName ?? 'target', line }
  return { file: fileName ?? `additional file ${numberOf(file) + 1}`, line }
}

/** Names of the files that the list of read files only describes. */
const NAMES: Readonly<Record<string, string>> = { 'version catalog': 'libs.versions.toml', lockfile: 'gradle.lockfile' }

function toFileName(label = ''): string {
  const name = label.replace(/ \(.*$/, '')
  return NAMES[name] ?? name
}
