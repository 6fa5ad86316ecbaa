import type { GraphNode } from '../dependency-graph.ts'
import { hasHost } from '../ecosystems/go/module-path.ts'

/** The affected packages of a module, by import path. */
export interface AffectedImports {
  /** The module's name in the advisories. */
  readonly module: string
  /** Undefined if any package of the module may be affected. */
  readonly packages: readonly string[] | undefined
}

/**
 * Returns false only if the project's files list the packages of the module at all its nodes, and none of them is
 * affected. Paths are compared without the parts that differ between spellings of one package, which can only find
 * more.
 */
export function isImported(
  { module, packages }: AffectedImports,
  nodes: readonly Pick<GraphNode, 'packages'>[],
): boolean {
  if (packages === undefined || !hasHost(module)) return true
  if (!packages.every((path) => path === module || path.startsWith(`${module}/`))) return true
  const affected = packages.map(toComparable)
  return nodes.some(({ packages: present }) => {
    if (present === undefined) return true
    return present.some((path) => {
      if (!path.endsWith('/...')) return affected.includes(toComparable(path))
      const folder = toComparable(path.slice(0, -'/...'.length))
      return affected.some((affectedPath) => affectedPath === folder || affectedPath.startsWith(`${folder}/`))
    })
  })
}

/**
 * Vulnerabilities whose affected packages the project does not import: their ids, each with a digest of the import
 * paths that were compared.
 */
export type NotImportedIds = Readonly<Record<string, string>>

/** Returns false if `judged` contains the vulnerability and its affected packages are still the same. */
export function isStillImported(
  { ids, packages }: { readonly ids: readonly string[]; readonly packages: readonly string[] | undefined },
  judged: NotImportedIds | undefined,
): boolean {
  if (judged === undefined || packages === undefined) return true
  const digest = digestOfImports(packages)
  return !ids.some((id) => Object.hasOwn(judged, id) && judged[id] === digest)
}

export function digestOfImports(packages: readonly string[]): string {
  const text = packages.toSorted().join('\n')
  return [0, 1].map((seed) => hash(seed, text).toString(16).padStart(8, '0')).join('')
}

/** FNV-1a over UTF-16 code units. Digests are stored. */
function hash(seed: number, text: string): number {
  let hash = 0x81_1c_9d_c5 ^ seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01_00_01_93)
  return hash >>> 0
}

/** Drops case, major versions and the ending of git, and follows gopkg.in to the repository that it serves. */
function toComparable(path: string): string {
  const [, owner, name, rest = ''] = /^gopkg\.in\/(?:([^/]+)\/)?([^/]+)\.v\d+(\/.*)?$/.exec(path) ?? []
  const plain = name === undefined ? path : `github.com/${owner ?? `go-${name}`}/${name}${rest}`
  return plain
    .toLowerCase()
    .split('/')
    .map((element) => element.replace(/\.git$/, ''))
    .filter((element) => !/^v\d+$/.test(element))
    .join('/')
}
