import { shorten } from '#analysis/documents/json-document.ts'
import { linesOf } from '#analysis/documents/text-lines.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { GoRequirement } from '#analysis/registries/go.ts'
import { goVersions } from '#analysis/versions/go.ts'
import { isFolder, toCanonical } from './mod-file.ts'
import type { ReplacedBy } from './mod-reads.ts'

/** A module of vendor/modules.txt. */
export interface VendoredModule extends GoRequirement {
  /** True if go.mod requires it; since Go 1.17 go.mod requires indirect ones too. */
  readonly isExplicit: boolean
  readonly replacedBy: ReplacedBy | undefined
  /** Import paths of its vendored packages. */
  readonly packages: readonly string[]
  readonly line: number
}

/** The modules of a vendor/modules.txt. */
export interface VendoredModules {
  readonly modules: readonly VendoredModule[]
  /** True for the list of `go work vendor`, which has the versions of the build: members may require lower ones. */
  readonly isOfWorkspace: boolean
}

/**
 * Parses the list that `go mod vendor` writes (cmd/go, vendor.go): for each module a line with its
 * version, annotations, and its packages. Lines without a version are replacements of go.mod, which the module repeats.
 * The list of a workspace also has the versions that its members require and the build does not select, without packages.
 */
export function parseModulesTxt(text: string, file: 'target' | number): VendoredModules {
  const modules: (VendoredModule & { packages: string[]; isExplicit: boolean })[] = []
  let current: (typeof modules)[number] | undefined
  let isOfWorkspace = false
  for (const [index, written] of linesOf(text, file).entries()) {
    const line = index + 1
    const words = written.trim().split(/\s+/)
    const [first = ''] = words
    if (first === '') continue
    if (first === '##') {
      if (current !== undefined && /\bexplicit\b/.test(written)) current.isExplicit = true
      isOfWorkspace ||= current === undefined && /\bworkspace\b/.test(written)
      continue
    }
    if (first === '#') {
      current = toModule(words.slice(1), line)
      if (current !== undefined) modules.push(current)
      else if (words[2] !== '=>') throw new Unreadable(`Invalid module line: ${shorten(written)}`, { file, line })
      continue
    }
    if (current === undefined || words.length > 1)
      throw new Unreadable(`Package without a module: ${shorten(written)}`, { file, line })
    current.packages.push(first)
  }
  return { modules: isOfWorkspace ? withoutOlder(modules) : modules, isOfWorkspace }
}

/** Drops versions without packages that have a higher one beside them. */
function withoutOlder(modules: readonly VendoredModule[]): VendoredModule[] {
  const byPath = Map.groupBy(modules, ({ path }) => path)
  return modules.filter(({ path, version, packages }) => {
    if (packages.length > 0) return true
    return byPath.get(path)!.every((other) => goVersions.compare(other.version, version) <= 0)
  })
}

function toModule([path = '', version = '', arrow, newPath, newVersion, ...more]: readonly string[], line: number) {
  if (version === '=>' || toCanonical(version) === undefined || more.length > 0) return undefined
  if (arrow !== undefined && (arrow !== '=>' || newPath === undefined)) return undefined
  if (newPath !== undefined && newVersion === undefined && !isFolder(newPath)) return undefined
  const replacedBy = newPath === undefined ? undefined : { path: newPath, version: newVersion }
  const packages: string[] = []
  return { path, version: toCanonical(version)!, isExplicit: false, replacedBy, packages, line }
}
