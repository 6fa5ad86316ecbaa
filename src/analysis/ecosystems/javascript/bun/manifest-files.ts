import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { isObject, type JsonObject, ownValue } from '#analysis/documents/json-document.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { toOtherPackageJson } from '../package-json.ts'
import { parseOverrideLines } from '../pnpm/overrides.ts'
import type { ResolutionRules } from '../pnpm/resolve.ts'
import { type SortedFiles, sortFilesOf } from '../sort-files.ts'
import { type BunLock, readBunLock } from './bun-lock.ts'
import { isApplied, readOverrideLines } from './override-lines.ts'

/** The sent files, identified by content. */
export interface ManifestFiles extends Omit<SortedFiles<BunLock>, 'root' | 'files'> {
  readonly rules: ResolutionRules
}

export function sortFiles(manifest: Manifest): ManifestFiles {
  const {
    root,
    files: _,
    ...sorted
  } = sortFilesOf(identifyFiles('bun', manifest), {
    places: manifest.places,
    lockKind: 'bun.lock',
    secondLock: 'Two bun.lock files were sent; send one',
    readLock: ({ text, file }) => readBunLock(text, file),
    labelOf: ({ label }) => label,
    toProject: toOtherPackageJson,
  })
  return { ...sorted, rules: rulesIn(root?.content ?? {}, sorted.project?.workspaces ?? []) }
}

/** Reads catalogs and overrides of the root's package.json (Bun's "Catalogs", "Overrides and resolutions"). */
function rulesIn(content: JsonObject, packages: readonly string[]): ResolutionRules {
  const workspaces = ownValue(content, 'workspaces')
  const places = [content, ...(isObject(workspaces) ? [workspaces] : [])]
  const catalogs = new Map<string, ReadonlyMap<string, string>>()
  for (const place of places) {
    const declaredCatalogs = ownValue(place, 'catalogs')
    for (const [name, catalog] of Object.entries(isObject(declaredCatalogs) ? declaredCatalogs : {}))
      catalogs.set(name, textsOf(catalog))
    const own = ownValue(place, 'catalog')
    if (isObject(own)) catalogs.set('default', textsOf(own))
  }
  // Bun ignores `resolutions` beside `overrides`.
  const lines = readOverrideLines(
    ownValue(content, ownValue(content, 'overrides') === undefined ? 'resolutions' : 'overrides'),
  )
  const overrides = parseOverrideLines(lines.filter(isApplied))
  const nested = lines.filter(([, value]) => value === undefined).map(([name]) => `The override of ${name}`)
  return { lockName: 'bun.lock', packages, catalogs, overrides, notApplied: nested }
}

function textsOf(catalog: unknown): Map<string, string> {
  const entries = Object.entries(isObject(catalog) ? catalog : {})
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
