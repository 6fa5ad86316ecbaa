import { isObject, type JsonObject, objectAt, ownValue, rangesAt } from '#analysis/documents/json-document.ts'
import { parseYaml } from '#analysis/documents/yaml.ts'
import { workspacePatterns } from '../package-json.ts'

/** The settings of a pnpm-workspace.yaml that affect packages. */
export interface WorkspaceSettings {
  /** Folder patterns; undefined if the file has none. */
  readonly packages: readonly string[] | undefined
  /** Ranges by package, by the name of their catalog. */
  readonly catalogs: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly overrides: readonly (readonly [string, string])[]
  /** Settings that change packages and are not applied. */
  readonly notApplied: readonly string[]
  /** Sources of `include` (since pnpm 12.15) that may change packages, with the settings that they own. */
  readonly included: readonly (readonly [source: string, settings: readonly string[]])[]
}

/** Settings for which pnpm resolves again when they change. */
const changing = ['overrides', 'catalog', 'catalogs', 'packageExtensions', 'configDependencies', '*']

export function parseWorkspace(text: string, file: 'target' | number): WorkspaceSettings {
  const content = hasContent(text) ? parseYaml(text, file) : {}
  const packages = ownValue(content, 'packages')
  const where = { file, entry: '' }
  const catalogEntries = Object.entries(objectAt(content, 'catalogs', where) ?? {}).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]),
  )
  const catalogs = new Map(catalogEntries.map(([name, catalog]) => [name, rangesOf(catalog, { file, entry: name })]))
  const own = ownValue(content, 'catalog')
  if (isObject(own)) catalogs.set('default', rangesOf(own, { file, entry: 'catalog' }))
  return {
    packages: packages === undefined ? undefined : workspacePatterns(packages),
    catalogs,
    overrides: rangesAt(content, 'overrides', where),
    included: Object.entries(objectAt(content, 'include', where) ?? {}).flatMap(([source, settings]) => {
      const owned = typeof settings === 'string' ? [settings] : workspacePatterns(settings)
      const changed = owned.filter((name) => changing.includes(name))
      return changed.length === 0 ? [] : [[source, changed] as const]
    }),
    notApplied: ['packageExtensions', 'configDependencies'].filter((name) => ownValue(content, name) !== undefined),
  }
}

/** Returns false for blank lines, comments and a start of a document alone: pnpm accepts such a file. */
function hasContent(text: string): boolean {
  return text.split('\n').some((line) => !/^\uFEFF?\s*(?:#.*|---\s*)?$/.test(line))
}

function rangesOf(catalog: JsonObject, where: { file: 'target' | number; entry: string }): Map<string, string> {
  return new Map(rangesAt({ catalog }, 'catalog', where))
}
