import { type JsonObject, objectAt, textOf } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { archiveNamedBy, isVersion } from '../archive-address.ts'
import type { Dependency } from '../dependency.ts'
import type { LockEntry } from '../entry-lock.ts'
import { type Doubt, judgeAddress, judgeNamed, type Stated, unreadableVersion } from '../lock-doubts.ts'
import { LOCAL_PATH, parseSpec } from '../spec.ts'
import type { DependencyPath, PathStyle } from './dependency-path.ts'

interface WrittenEntry {
  readonly key: string
  readonly path: DependencyPath
  /** Its member of `packages`. */
  readonly info: JsonObject
  readonly dependencies: readonly Dependency[]
  readonly style: PathStyle
}

type Installed = Pick<LockEntry, 'name' | 'version' | 'doubt' | 'elsewhere' | 'source'>

/**
 * Reads a package as pnpm installs it (`pkgSnapshotToResolution`): the archive of `resolution`, else the archive of the
 * name and version, where the entry's own `version`, and `name` before lockfileVersion 9, win over the key.
 */
export function toEntry({ key, path, info, dependencies, style }: WrittenEntry, file: 'target' | number): LockEntry {
  const resolution = objectAt(info, 'resolution', { file, entry: key }) ?? {}
  const ownName = style === 'plain' ? undefined : textOf(info, 'name')
  const type = textOf(resolution, 'type')
  const isArchive = type === undefined
  const reference = isArchive || type === VARIANTS ? withoutRegistry(path.reference) : path.reference
  const stated: Stated = { name: path.name ?? textOf(info, 'name') ?? key, version: reference, tool: 'pnpm' }
  const own = { name: ownName ?? stated.name, version: textOf(info, 'version') ?? reference }
  const isOfRegistry = path.name !== undefined && isVersion(reference) && isArchive
  const installed = isOfRegistry
    ? fromRegistry(stated, { own, tarball: textOf(resolution, 'tarball') })
    : fromElsewhere(
        {
          ...stated,
          name: own.name,
          version: type === VARIANTS && isVersion(reference) ? own.version : textOf(info, 'version'),
        },
        path.reference,
        resolution,
      )
  const { name, version, doubt, elsewhere, source } = installed
  return {
    name,
    version,
    doubt,
    elsewhere,
    source,
    integrity: textOf(resolution, 'integrity'),
    workspace: undefined,
    dependencies,
    peers: [],
  }
}

/** The type of what has an archive for each platform: programs (`runtime:`), and packages since pnpm 12.18. */
const VARIANTS = 'variations'

/** Removes the prefix of a named registry: `work:1.0.0` (pnpm 11 and later). */
function withoutRegistry(reference: string): string {
  const version = reference.slice(reference.indexOf(':') + 1)
  return isVersion(version) && !/^(?:file|link|workspace|runtime|tool):/.test(reference) ? version : reference
}

function fromRegistry(
  stated: Stated,
  { own, tarball }: { own: { name: string; version: string }; tarball: string | undefined },
): Installed {
  const plain = { elsewhere: undefined, source: undefined }
  if (tarball === undefined) {
    const { name, version, doubt } = judgeNamed(stated, own)
    return { name, version, doubt, elsewhere: undefined, source: undefined }
  }
  // A relative address is one of the registry.
  const address = /^https?:/i.test(tarball) ? tarball : `https://registry.invalid/${tarball.replace(/^\/+/, '')}`
  return { ...judgeAddress(stated, address), ...plain }
}

/** Reads a folder, a git repository, an archive of the web, or a program that pnpm downloads (`runtime:`). */
function fromElsewhere(stated: Stated, reference: string, resolution: JsonObject): Installed {
  const tarball = textOf(resolution, 'tarball') ?? reference
  const elsewhere = sourceOf(reference, resolution)
  const isKnown = stated.version !== undefined && isVersion(stated.version)
  const source = isKnown ? undefined : withoutCredentials(reference)
  const version = isKnown ? stated.version : undefined
  const doubt: Doubt | undefined = isKnown ? undefined : unreadableVersion(stated)
  const archivePackage = /^https?:/i.test(tarball) ? archiveNamedBy(tarball, stated.name) : undefined
  if (archivePackage === undefined || elsewhere === GIT) return { name: stated.name, version, doubt, elsewhere, source }
  return { ...judgeAddress({ ...stated, version }, tarball), elsewhere, source: undefined }
}

const GIT = 'a git repository'
const gitHosts = /^https:\/\/(?:codeload\.github\.com|bitbucket\.org|gitlab\.com)\//

function sourceOf(reference: string, resolution: JsonObject): string {
  const type = textOf(resolution, 'type')
  const tarball = textOf(resolution, 'tarball') ?? ''
  if (type === 'directory' || /^(?:file|link):/.test(reference) || tarball.startsWith('file:')) return LOCAL_PATH
  if (type === 'git' || textOf(resolution, 'gitHosted') === 'true' || gitHosts.test(tarball)) return GIT
  if (type === VARIANTS && isVersion(withoutRegistry(reference))) return 'one of its archives for single platforms'
  if (type !== undefined) return 'a download outside the registry'
  if (/^https?:/i.test(tarball)) return 'a URL'
  return parseSpec('', reference).elsewhere ?? 'a source that is not known'
}
