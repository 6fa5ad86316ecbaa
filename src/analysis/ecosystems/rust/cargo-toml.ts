import type { TomlTable, TomlValue } from 'smol-toml'
import { isTable, parseToml } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { DependencyKind } from '../../dependency-graph.ts'

/** A parsed Cargo.toml. */
export interface CargoManifest {
  readonly file: 'target' | number
  /** Undefined for a workspace without a package of its own. */
  readonly name: string | undefined
  readonly version: string
  readonly dependencies: readonly CrateDependency[]
  /** True if it is the root of a workspace. */
  readonly isWorkspace: boolean
  /** Folders of the workspace that are none of its members. */
  readonly excluded: readonly string[]
  /** Names of crates for which `[patch]` or `[replace]` names another source. */
  readonly patched: ReadonlySet<string>
}

/** A declared dependency on a crate. */
export interface CrateDependency {
  /** Its key in the table. */
  readonly key: string
  /** The registry's spelling. */
  readonly name: string
  /** Empty if any version is allowed. */
  readonly range: string
  readonly kind: DependencyKind
  /** Undefined if it is inherited from a workspace whose manifest was not sent. */
  readonly source: CrateSource | undefined
  readonly features: readonly string[]
  readonly hasDefaultFeatures: boolean
}

export type CrateSource =
  | { readonly kind: 'registry' }
  | { readonly kind: 'folder' }
  /** The name of another registry, or its URL. */
  | { readonly kind: 'other-registry'; readonly registry: string }
  /** `git+URL?branch=…`, as in a lockfile, without a commit. */
  | { readonly kind: 'git'; readonly url: string }

/** Parses the manifests of a workspace together, since members inherit from its root. */
export function parseManifests(
  sent: readonly { readonly text: string; readonly file: 'target' | number }[],
): CargoManifest[] {
  const documents = sent.map(({ text, file }) => ({ file, document: parseToml(text, file) }))
  const root = documents.map(({ document }) => tableOf(document['workspace'])).find((table) => table !== undefined)
  return documents.map(({ file, document }) => toManifest(document, { file, root }))
}

interface Context {
  readonly file: 'target' | number
  /** The `[workspace]` table of the root. */
  readonly root: TomlTable | undefined
}

function toManifest(document: TomlTable, context: Context): CargoManifest {
  const { file, root } = context
  const own = tableOf(document['package']) ?? tableOf(document['project'])
  const name = own?.['name']
  if (own !== undefined && typeof name !== 'string') throw new Unreadable('The package has no name', { file })
  const version =
    tableOf(own?.['version'])?.['workspace'] === true ? tableOf(root?.['package'])?.['version'] : own?.['version']
  const workspace = tableOf(document['workspace'])
  const patches = Object.values(tableOf(document['patch']) ?? {}).flatMap((table) =>
    Object.entries(tableOf(table) ?? {}),
  )
  const replaced = Object.keys(tableOf(document['replace']) ?? {}).map((id) => id.replace(/^.*[/#]|[:@].*$/g, ''))
  return {
    file,
    name: typeof name === 'string' ? name : undefined,
    version: typeof version === 'string' ? version.trim() : '0.0.0',
    dependencies: dependenciesIn(document, context),
    isWorkspace: workspace !== undefined,
    excluded: textsIn(workspace?.['exclude']),
    patched: new Set([...patches.map(([key, value]) => textOf(tableOf(value)?.['package']) ?? key), ...replaced]),
  }
}

/** The tables of dependencies, and their old spellings. */
const tables: readonly (readonly [name: string, kind: DependencyKind])[] = [
  ['dependencies', 'prod'],
  ['build-dependencies', 'prod'],
  ['build_dependencies', 'prod'],
  ['dev-dependencies', 'dev'],
  ['dev_dependencies', 'dev'],
]

function dependenciesIn(document: TomlTable, context: Context): CrateDependency[] {
  const targets = Object.values(tableOf(document['target']) ?? {}).flatMap((target) => tableOf(target) ?? [])
  return [document, ...targets].flatMap((table) =>
    tables.flatMap(([name, kind]) => {
      const { file } = context
      const entries = (table as TomlTable)[name] ?? {}
      if (!isTable(entries)) throw new Unreadable(`[${name}] must be a table`, { file })
      return Object.entries(entries).map(([key, value]) => toDependency(key, value, { ...context, kind }))
    }),
  )
}

function toDependency(key: string, value: TomlValue, context: Context & { kind: DependencyKind }): CrateDependency {
  const { file, root, kind } = context
  const own = typeof value === 'string' ? { version: value } : value
  if (!isTable(own)) throw new Unreadable(`The dependency ${key} must be a version or a table`, { file })
  const isInherited = own['workspace'] === true
  const inherited = isInherited ? tableOf(root?.['dependencies'])?.[key] : undefined
  if (isInherited && root !== undefined && inherited === undefined) {
    throw new Unreadable(`The workspace has no dependency ${key}, which the manifest inherits`, { file })
  }
  const shared = typeof inherited === 'string' ? { version: inherited } : tableOf(inherited)
  const table = isInherited ? (shared ?? {}) : own
  return {
    key,
    name: textOf(table['package']) ?? key,
    range: textOf(table['version']) ?? '',
    kind: kind === 'prod' && own['optional'] === true ? 'optional' : kind,
    source: isInherited && shared === undefined ? undefined : sourceOf(table),
    features: [...textsIn(table['features']), ...(isInherited ? textsIn(own['features']) : [])],
    hasDefaultFeatures:
      (table['default-features'] ?? table['default_features']) !== false || own['default-features'] === true,
  }
}

function sourceOf(table: TomlTable): CrateSource {
  const git = textOf(table['git'])
  if (git !== undefined) {
    const reference = ['branch', 'tag', 'rev'].flatMap((key) => {
      const value = textOf(table[key])
      return value === undefined ? [] : [`?${key}=${value}`]
    })
    return { kind: 'git', url: `git+${git}${reference[0] ?? ''}` }
  }
  if (table['path'] !== undefined) return { kind: 'folder' }
  const registry = textOf(table['registry']) ?? textOf(table['registry-index'])
  return registry === undefined ? { kind: 'registry' } : { kind: 'other-registry', registry }
}

function tableOf(value: TomlValue | undefined): TomlTable | undefined {
  return isTable(value) ? value : undefined
}

function textOf(value: TomlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function textsIn(value: TomlValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
