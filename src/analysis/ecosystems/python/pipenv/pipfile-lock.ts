import type { DependencyKind } from '#analysis/dependency-graph.ts'
import { isObject, type JsonObject, objectAt, ownValue, shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { isOutside, versionOfArchive } from '../file-names.ts'
import type { LockedPackage } from '../locked-packages.ts'
import { environmentNames, type Marker, parseMarker } from '../packaging/marker.ts'
import { toProjectName } from '../packaging/project-name.ts'

/** A parsed Pipfile.lock. */
export interface PipfileLock {
  readonly packages: readonly PipfilePackage[]
  /** The hash of the Pipfile that it was written for. */
  readonly hash: string | undefined
  /** The Python that it was locked for. */
  readonly python: string | undefined
}

/** `default` is product, `develop` is for developers, and other categories are installed on demand. */
export interface PipfilePackage extends LockedPackage {
  readonly kind: DependencyKind
}

const KNOWN_SPEC = 6
const kinds: Readonly<Record<string, DependencyKind>> = { default: 'prod', develop: 'dev' }

/** Parses a Pipfile.lock. Throws `Unreadable` for other versions of the format than 6. */
export function parsePipfileLock(document: JsonObject, file: 'target' | number): PipfileLock {
  const meta = objectAt(document, '_meta', { file, entry: '' }) ?? {}
  const spec = ownValue(meta, 'pipfile-spec')
  if (spec !== undefined && spec !== KNOWN_SPEC) {
    throw new Unreadable(`Unsupported pipfile-spec ${shorten(String(spec))}; supported: ${KNOWN_SPEC}`, { file })
  }
  const requires = objectAt(meta, 'requires', { file, entry: '_meta' }) ?? {}
  const hash = objectAt(meta, 'hash', { file, entry: '_meta' }) ?? {}
  const categories = Object.keys(document).filter((key) => key !== '_meta' && !Object.hasOwn(kinds, key))
  const all = ['default', ...categories, 'develop'].flatMap((section) => packagesIn(document, section, file))
  return {
    packages: withoutRepeated(all),
    hash: textOf(hash, 'sha256'),
    python: textOf(requires, 'python_full_version') ?? textOf(requires, 'python_version'),
  }
}

/** Keeps the first of equal entries: a package may be in several sections. */
function withoutRepeated(packages: readonly PipfilePackage[]): PipfilePackage[] {
  const keys = new Set<string>()
  return packages.filter(({ name, version, elsewhere, marker }) => {
    const key = JSON.stringify([name, version, elsewhere, marker])
    return !keys.has(key) && keys.add(key)
  })
}

function packagesIn(document: JsonObject, section: string, file: 'target' | number): PipfilePackage[] {
  const entries = objectAt(document, section, { file, entry: '' }) ?? {}
  const kind = Object.hasOwn(kinds, section) ? kinds[section]! : 'optional'
  return Object.entries(entries).map(([name, value]) => {
    if (!isObject(value)) throw new Unreadable(`"${shorten(name)}" of "${shorten(section)}" is not an object`, { file })
    const elsewhere = sourceOf(value)
    // Pipenv also takes extras in the name: `requests[security]`.
    const project = toProjectName(withoutExtras(name))
    return {
      name: project,
      version:
        textOf(value, 'version')?.replace(/^\s*={2,3}\s*/, '') ?? versionOfArchive(textOf(value, 'file'), project),
      elsewhere,
      isProject: false,
      isLocal: elsewhere === undefined && textOf(value, 'path') !== undefined,
      marker: markerOf(value),
      dependencies: [],
      files: [],
      kind,
    }
  })
}

function withoutExtras(name: string): string {
  const [project = ''] = name.split('[', 1)
  return name.trimEnd().endsWith(']') ? project.trimEnd() : name
}

function sourceOf(value: JsonObject): string | undefined {
  for (const key of ['git', 'hg', 'svn', 'bzr']) {
    const url = textOf(value, key)
    if (url !== undefined) return `${key}+${url}`
  }
  const path = textOf(value, 'path')
  if (path !== undefined && !isOutside(path)) return undefined
  return path ?? textOf(value, 'file')
}

/** Reads `markers`, and conditions under the names of variables: `"os_name": "== 'nt'"`. */
function markerOf(value: JsonObject): Marker | undefined {
  const own = textOf(value, 'markers')
  const others = environmentNames.flatMap((name) => {
    const condition = textOf(value, name)
    return condition === undefined ? [] : [`${name} ${condition}`]
  })
  const all = [...(own === undefined ? [] : [own]), ...others]
  return all.length === 0
    ? undefined
    : parseMarker(all.map((marker) => (all.length > 1 ? `(${marker})` : marker)).join(' and '))
}
