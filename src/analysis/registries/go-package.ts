import type { Package } from '../dependency-graph.ts'

/** The modules that may contain a Go path, longest first; the path may also be a module itself. */
export interface ModulesAbove {
  readonly modules: readonly string[]
  /** True if the path cannot be a module. */
  readonly isPackage: boolean
}

/** Hosts whose repositories have two names, so that their modules have three parts or more. */
const REPOSITORY_HOSTS = /^(?:github\.com|gitlab\.com|bitbucket\.org)\//

/**
 * Returns the modules above the path of a Go package URL. The URL names a module and its package behind `#`, but tools
 * also write the path of the package. A path is a module only if it ends in the major version (Go Modules Reference,
 * "Module paths"). CycloneDX’s tool for Go states it in the qualifier `type`.
 */
export function modulesAbove(purl: string, { name, version }: Package): ModulesAbove {
  const [, type] = /[?&]type=(package|module)(?:&|$)/.exec(purl) ?? []
  if (type === 'module' || purl.includes('#')) return { modules: [], isPackage: false }
  const parts = name.split('/')
  const above = parts.slice(2).map((_, at) => parts.slice(0, parts.length - 1 - at).join('/'))
  const modules = above.filter((path) => isModulePath(path, version) && (!isHosted(path) || path.split('/').length > 2))
  return { modules, isPackage: modules.length > 0 && (type === 'package' || !isModulePath(name, version)) }
}

function isHosted(path: string): boolean {
  return REPOSITORY_HOSTS.test(`${path}/`)
}

/** Returns false if no module of this version can have the path. */
function isModulePath(path: string, version: string): boolean {
  const [, major] = /^v(\d+)\.\d+\.\d+(?!.*\+incompatible$)/.exec(version) ?? []
  if (major === undefined) return true
  if (path.startsWith('gopkg.in/')) return /^gopkg\.in\/(?:[^/]+\/)?[^/]+\.v\d+(?:-unstable)?$/.test(path)
  const [, suffix] = /\/v(\d+)$/.exec(path) ?? []
  return suffix === undefined ? Number(major) < 2 : suffix === major
}
