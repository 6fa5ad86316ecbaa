import { npmVersions } from '#analysis/versions/npm.ts'

/** The package version that an archive's address names. */
export interface NamedArchive {
  readonly name: string
  readonly version: string
}

const archiveEnding = /\.(?:tgz|tar\.gz|tar)$/i
/** Matches `name-1.2.3` with both parts unknown. */
const nameAndVersion = /^(.+?)-(v?\d+\.\d+\.\d+(?:[-+].*)?)$/

/**
 * Returns the package named by an archive address in the layouts of npm registries: `name/-/name-1.0.0.tgz` with a
 * scope before either name (npm, Verdaccio, Nexus, Artifactory, GitLab, Azure, Gitea with the version's own folder),
 * `download/@scope/name/1.0.0/<digest>` (GitHub Packages), and elsewhere a file `name-1.0.0.tgz`. Undefined if the
 * address does not name a package. `expected` supplies the scope that a bare file name lacks.
 */
export function archiveNamedBy(address: string, expected: string): NamedArchive | undefined {
  const segments = pathOf(address)
  if (segments === undefined) return undefined
  const dash = segments.lastIndexOf('-')
  return namedInDownload(segments) ?? namedByFile(segments, { dash, expected })
}

/** Returns true for addresses that the usual registry layout gives to this archive; they need no further check. */
export function isPlainAddressOf(address: string, { name, version }: NamedArchive): boolean {
  if (!address.startsWith('http') || /[?#%\\\s]/.test(address)) return false
  const file = `${baseOf(name)}-${version}.tgz`
  if (!address.endsWith(`/${name}/-/${file}`)) return false
  const before = address.length - `/${name}/-/${file}`.length
  return name.startsWith('@') || address[address.lastIndexOf('/', before - 1) + 1] !== '@'
}

/** Compares as npm does: `v1.0.0` and `1.0.0+build` equal `1.0.0`. */
export function isSameVersion(a: string, b: string): boolean {
  return a === b || (npmVersions.isValid(a) && npmVersions.isValid(b) && npmVersions.compare(a, b) === 0)
}

export function isVersion(version: string): boolean {
  return npmVersions.isValid(version)
}

/** Returns a version without the leading white space, `v` and `=` that npm ignores. */
export function withoutPrefix(version: string | undefined): string | undefined {
  return version !== undefined && isVersion(version) ? version.replace(/^[\s=v]+/, '').trim() : version
}

/** Returns the decoded path of a URL, with dots and backslashes resolved as clients do. */
function pathOf(address: string): string[] | undefined {
  if (!/^https?:/i.test(address)) return undefined
  try {
    return decodeURIComponent(new URL(address).pathname).split('/').slice(1)
  } catch {
    return undefined
  }
}

function namedInDownload(segments: readonly string[]): NamedArchive | undefined {
  const [download, scope, name, version] = segments.slice(-5, -1)
  if (download !== 'download' || !scope?.startsWith('@') || !name || !version || !isVersion(version)) return undefined
  return { name: `${scope}/${name}`, version }
}

function namedByFile(
  segments: readonly string[],
  { dash, expected }: { dash: number; expected: string },
): NamedArchive | undefined {
  const file = segments.at(-1)!
  const ending = archiveEnding.exec(file)
  if (ending === null) return undefined
  const stem = file.slice(0, ending.index)
  const folder = dash > 0 ? nameBefore(segments.slice(0, dash)) : undefined
  if (dash > 0) return folder === undefined ? undefined : versionAfter(folder, stem)
  const scope = segments.at(-2)?.startsWith('@') ? segments.at(-2) : undefined
  const fileVersion = scope === undefined ? versionAfter(expected, stem) : undefined
  if (fileVersion !== undefined) return fileVersion
  const [, name, version] = nameAndVersion.exec(stem) ?? []
  if (!name || !version || !isVersion(version)) return undefined
  return { name: scope === undefined ? name : `${scope}/${name}`, version }
}

/** Returns the last folder, with a scope before it. */
function nameBefore(folders: readonly string[]): string | undefined {
  const [scope, name] = folders.slice(-2)
  if (folders.length === 1) return scope || undefined
  if (!name) return undefined
  return scope?.startsWith('@') ? `${scope}/${name}` : name
}

/**
 * Parses the version after an archive's name. Archives of scoped packages use the bare name, or `scope-name` as `npm
 * pack` does.
 */
function versionAfter(name: string, stem: string): NamedArchive | undefined {
  const packed = name.startsWith('@') ? [`${name.slice(1).replace('/', '-')}-`] : []
  for (const prefix of [`${baseOf(name)}-`, ...packed]) {
    const version = stem.startsWith(prefix) ? stem.slice(prefix.length) : ''
    if (isVersion(version)) return { name, version }
  }
  return undefined
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
