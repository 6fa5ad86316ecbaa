import { isObject, type JsonObject, ownValue, shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { parseYaml } from '#analysis/documents/yaml.ts'
import type { LockedPackage, Requirement } from '../../locked/locked-project.ts'

export interface PodfileLock {
  /** By the name of the pod; its subspecs are one package. */
  readonly packages: ReadonlyMap<string, LockedPackage>
  readonly direct: readonly Requirement[]
  /** SHA-1 of the Podfile, in hex. */
  readonly checksum: string | undefined
}

type File = 'target' | number

/** The public repository of specifications. */
const TRUNK = /^(?:trunk|https:\/\/github\.com\/CocoaPods\/Specs(?:\.git)?)$/i
/** `Firebase/Core (= 1.0)`, ``Kit (from `../Kit`)``. */
const ENTRY = /^([^\s/(]+)(\/[^\s(]+)?(?: \((.*)\))?$/

/** Parses a Podfile.lock. Throws `Unreadable` for a file without its last part. */
export function parsePodfileLock(text: string, file: File): PodfileLock {
  const document = parseYaml(text, file)
  if (textOf(document, 'COCOAPODS') === undefined) {
    throw new Unreadable('The Podfile.lock has no "COCOAPODS", so its end is missing. Run pod install', { file })
  }
  const packages = new Map<string, LockedPackage>()
  for (const entry of listAt(document, 'PODS', file)) addPod(packages, entry, { document, file })
  return {
    packages,
    direct: listAt(document, 'DEPENDENCIES', file).map((entry) => toRequirement(entry, file)),
    checksum: textOf(document, 'PODFILE CHECKSUM'),
  }
}

function addPod(
  packages: Map<string, LockedPackage>,
  entry: unknown,
  { document, file }: { document: JsonObject; file: File },
) {
  const [[written, list] = []] = isObject(entry) ? Object.entries(entry) : [[entry, []]]
  const { name, range: version } = parseEntry(written, file)
  const requires = (Array.isArray(list) ? list : []).map((one) => toRequirement(one, file))
  const existing = packages.get(name)
  if (existing !== undefined && existing.version !== version) {
    throw new Unreadable(`Two versions of ${shorten(name)} in "PODS"`, { file })
  }
  const elsewhere = sourceOf(document, name)
  const all = [...(existing?.requires ?? []), ...requires.filter(({ key }) => key !== name)]
  packages.set(name, { name, version, requires: all, ...(elsewhere !== undefined && { elsewhere }) })
}

/** Returns the source of a pod, if it is not the public repository. */
function sourceOf(document: JsonObject, name: string): string | undefined {
  const [external, checkout] = ['EXTERNAL SOURCES', 'CHECKOUT OPTIONS'].map((key) => memberOf(document, key, name))
  const both: JsonObject = { ...(isObject(external) ? external : {}), ...(isObject(checkout) ? checkout : {}) }
  const shown = (key: string) => withoutCredentials(shorten(textOf(both, key) ?? ''))
  if (shown(':git') !== '') return `the git repository ${shown(':git')}`
  if (shown(':path') !== '') return `the folder ${shown(':path')}`
  if (shown(':podspec') !== '') return `the specification ${shown(':podspec')}`
  if (Object.keys(both).length > 0) return 'a source outside of the public repository'
  const repositories = ownValue(document, 'SPEC REPOS')
  const own = Object.entries(isObject(repositories) ? repositories : {}).find(
    ([, names]) => Array.isArray(names) && names.includes(name),
  )?.[0]
  return own === undefined || TRUNK.test(own) ? undefined : `the repository ${withoutCredentials(shorten(own))}`
}

function memberOf(document: JsonObject, key: string, name: string): unknown {
  const map = ownValue(document, key)
  return isObject(map) ? ownValue(map, name) : undefined
}

function toRequirement(entry: unknown, file: File): Requirement {
  const { name, range } = parseEntry(entry, file)
  return { key: name, name, range: range.startsWith('from ') ? '' : range, kind: 'prod' }
}

function parseEntry(entry: unknown, file: File): { name: string; range: string } {
  const [match, name, , range = ''] = (typeof entry === 'string' && ENTRY.exec(entry)) || []
  if (match === undefined || name === undefined) throw new Unreadable('Invalid entry of a pod', { file })
  return { name, range: range.replace(/, from .*$/, '') }
}

function listAt(document: JsonObject, key: string, file: File): readonly unknown[] {
  const value = ownValue(document, key)
  if (value === undefined || value === '') return []
  if (Array.isArray(value)) return value
  throw new Unreadable(`"${key}" must be a list`, { file })
}
