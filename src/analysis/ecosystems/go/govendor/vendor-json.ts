import {
  isObject,
  type JsonObject,
  ownValue,
  parseJsonObject,
  shorten,
  textOf,
} from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Locked } from './locked-version.ts'

/** A package of vendor.json. */
export interface Vendored extends Locked {
  /** The import path. */
  readonly path: string
  /** The path it was copied from: another repository's vendor folder or a fork. */
  readonly origin: string | undefined
  /** True if the folder was copied with all its subfolders. */
  readonly isTree: boolean
}

export interface VendorJson {
  /** The project's own import path. */
  readonly rootPath: string | undefined
  readonly packages: readonly Vendored[]
}

/** Parses govendor's file (specification: github.com/kardianos/vendor-spec). Does not read `ignore` and checksums. */
export function parseVendorJson(text: string): VendorJson {
  const document = parseJsonObject({ file: 'target', text })
  const lists = ['package', 'Package'].map((key) => ownValue(document, key) ?? undefined)
  const packageLists = lists.filter((list) => list !== undefined)
  if (packageLists.length === 0) {
    if (Object.hasOwn(document, 'rootPath') || Object.hasOwn(document, 'ignore'))
      return { rootPath: rootOf(document), packages: [] }
    throw new Unreadable('Invalid vendor.json: no "package" list')
  }
  if (!packageLists.every(Array.isArray)) throw new Unreadable('"package" is not a list')
  return { rootPath: rootOf(document), packages: packageLists.flat().map(toVendored) }
}

function rootOf(document: JsonObject): string | undefined {
  return textOf(document, 'rootPath')
}

function toVendored(entry: unknown, index: number): Vendored {
  if (!isObject(entry)) throw new Unreadable(`"package" ${index + 1} is not an object`)
  const path = textOf(entry, 'path')
  if (path === undefined) throw new Unreadable(`"package" ${index + 1} has no "path"`)
  if (path.length > 1_000) throw new Unreadable(`The path of "package" ${index + 1} is too long: ${shorten(path)}`)
  const tree = ownValue(entry, 'tree')
  return {
    path: path.replace(/\/(?:\^|\.\.\.)$/, '').replace(/\/$/, ''),
    origin: textOf(entry, 'origin'),
    revision: textOf(entry, 'revision') ?? '',
    revisionTime: textOf(entry, 'revisionTime'),
    version: textOf(entry, 'version'),
    versionExact: textOf(entry, 'versionExact'),
    comment: textOf(entry, 'comment'),
    isTree: tree === true || /\/\^$/.test(path),
  }
}

/** Maps each package's path to its line, for messages. */
export function linesOfPaths(text: string): Map<string, number> {
  const lines = new Map<string, number>()
  for (const [index, line] of text.split('\n').entries()) {
    const path = line.length > 2_000 ? undefined : /"path"\s*:\s*"([^"\\]*)"/.exec(line)?.[1]
    if (path !== undefined && !lines.has(path)) lines.set(path, index + 1)
  }
  return lines
}
