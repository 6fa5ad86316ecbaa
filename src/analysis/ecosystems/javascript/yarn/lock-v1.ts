import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { isSameVersion, isVersion } from '../archive-address.ts'
import type { Dependency } from '../dependency.ts'
import type { LockEntry } from '../entry-lock.ts'
import { type Doubt, judgeAddress, type Stated, unreadableVersion } from '../lock-doubts.ts'
import { noResolutions, ruledRange } from '../resolutions.ts'
import { parseSpec } from '../spec.ts'
import { type Block, blockAt, readBlocks, type TopBlock, textAt } from './lock-text.ts'
import { splitDescriptor, type YarnLock } from './yarn-lock.ts'

/**
 * Reads a yarn.lock of Yarn 1 (format: `@yarnpkg/lockfile`): entries by range. It lists neither the project's
 * dependencies nor peers nor dev packages.
 */
export function readLockV1(text: string, file: 'target' | number): YarnLock {
  const blocks = readBlocks(text, 'v1', file)
  const byPattern = new Map<string, LockEntry>()
  const entries = blocks.map((block) => {
    const entry = toEntry(block, file)
    for (const key of block.keys) byPattern.set(key, entry)
    return entry
  })
  return {
    file,
    fileName: 'yarn.lock',
    tool: 'yarn',
    label: 'yarn.lock (v1)',
    entries,
    hasWorkspaces: false,
    passesOverUnfit: true,
    find(from, dependency, resolutions) {
      // Yarn writes declared ranges beside the resolution that overrides them.
      const declared = byPattern.get(`${dependency.name}@${dependency.range}`)
      const ruled = ruledRange(resolutions, { parent: from?.name, dependency: dependency })
      const entry = declared ?? byPattern.get(`${dependency.name}@${ruled ?? dependency.range}`)
      return { entries: entry === undefined ? [] : [entry], range: ruled ?? dependency.range }
    },
  }
}

/** Returns the likely direct dependencies of a lone lock: entries that no other one requires. */
export function likelyDirect(lock: YarnLock): LockEntry[] {
  const required = new Set<LockEntry>()
  for (const entry of lock.entries) {
    for (const dependency of entry.dependencies)
      for (const target of lock.find(entry, dependency, noResolutions).entries) required.add(target)
  }
  return lock.entries.filter((entry) => !required.has(entry))
}

function toEntry({ keys, members, line }: TopBlock, file: 'target' | number): LockEntry {
  const patterns = keys.map((key) => splitDescriptor(key, { file, line }))
  const specs = patterns.map(({ name, range }) => parseSpec(name, range))
  const elsewhere = specs.every((spec) => spec.elsewhere !== undefined) ? specs[0]!.elsewhere : undefined
  const version = textAt(members, 'version')
  if (version !== undefined && version.length > 256)
    throw new Unreadable(`Version longer than 256 characters at line ${line}`, { file, line })
  const registryName = specs.find((spec) => spec.elsewhere === undefined)?.name
  const claimed = registryName ?? textAt(members, 'name') ?? patterns[0]!.name
  const ranges = elsewhere === undefined ? specs.map(({ selector }) => selector) : []
  const installed = judge({ name: claimed, version, tool: 'yarn' }, { address: textAt(members, 'resolved'), ranges })
  const isReadable = installed.version !== undefined && isVersion(installed.version)
  return {
    ...installed,
    elsewhere,
    source: isReadable ? undefined : withoutCredentials(patterns[0]!.range),
    integrity: textAt(members, 'integrity'),
    workspace: undefined,
    dependencies: [
      ...toDependencies(blockAt(members, 'dependencies'), 'prod'),
      ...toDependencies(blockAt(members, 'optionalDependencies'), 'optional'),
    ],
    peers: [],
  }
}

/**
 * Judges an entry. In an offline mirror the address is the archive's file name; without an address Yarn 1 ignores the
 * entry.
 */
function judge(
  stated: Stated,
  { address, ranges }: { address: string | undefined; ranges: readonly string[] },
): Pick<LockEntry, 'name' | 'version' | 'doubt'> {
  const { name, version } = stated
  if (address !== undefined) {
    const isName = isArchiveName(address)
    if (isName || /^https?:/i.test(address)) {
      const judged = judgeAddress(stated, isName ? `https://mirror.invalid/${address.replaceAll('@', '')}` : address)
      return version === undefined && !isVersion(judged.version) ? { ...judged, version } : judged
    }
  }
  const isFixed = address !== undefined || version === undefined || ranges.every((range) => isSame(range, version))
  return { name, version, doubt: unreadableVersion(stated) ?? (isFixed ? undefined : unfixed(version)) }
}

/**
 * Tells the name of an archive in an offline mirror. No pattern repeats: one that does can exhaust the stack on a long
 * line.
 */
function isArchiveName(address: string): boolean {
  const at = address.search(/[\s\S]\.tgz(?:#|$)/)
  return at >= 0 && !/[:/\\]/.test(address.slice(0, at + 1))
}

function isSame(range: string, version: string): boolean {
  return isVersion(range) && isSameVersion(range, version)
}

function unfixed(version: string): Doubt {
  const reason = `Its entry has no "resolved", so that Yarn installs what the range allows today instead of ${shorten(version)}. Run yarn install to lock it`
  return { code: 'version-unknown', reason, isAboutName: false }
}

function toDependencies(block: Block, kind: 'prod' | 'optional'): Dependency[] {
  return [...block].flatMap(([name, range]) =>
    typeof range === 'string' ? [{ name, range, kind, mayBeAbsent: kind === 'optional' }] : [],
  )
}
