import { isObject, type JsonObject, ownValue, textOf } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { archiveNamedBy, isVersion, withoutPrefix } from '../archive-address.ts'
import { judgeAddress, judgeNamed, noSource, unreadableVersion } from '../lock-doubts.ts'
import { isGitOrLocal, parseSpec, splitAtVersion } from '../spec.ts'
import { isLink, type Lock, type Locked, type LockNode } from './lock-tree.ts'

/** The content of an entry before its address is judged. */
interface Entry {
  readonly name: string
  readonly version: string | undefined
  readonly address: string | undefined
  readonly license: string | undefined
  readonly integrity: string | undefined
}

/**
 * Reads the entry at a place as `npm ci` does: installs the archive at `resolved`, whatever name and version the entry
 * states; without `resolved`, the version in the registry.
 */
export function lockedAt(lock: Lock, place: LockNode): Locked {
  const cached = lock.locked.get(place)
  if (cached !== undefined) return cached
  const entry = place.entry!
  const locked = lock.layout === 'packages' ? lockedPackage(place, entry) : lockedDependency(place, entry)
  lock.locked.set(place, locked)
  return locked
}

function lockedPackage(place: LockNode, entry: JsonObject): Locked {
  const address = textOf(entry, 'resolved')?.trim()
  const source = place.isFolder ? `file:${place.location}` : isLink(entry) ? undefined : address
  const written = textOf(entry, 'name')
  const name = written ?? place.name.slice(place.isFolder ? place.name.lastIndexOf('/') + 1 : 0)
  const version = withoutPrefix(textOf(entry, 'version'))
  const integrity = textOf(entry, 'integrity')
  const locked = toLocked({ name, version, address: source, license: licenseOf(entry), integrity })
  if (written === undefined || locked.doubt === undefined) return locked
  return { ...locked, doubt: { ...locked.doubt, isAboutName: false } }
}

/** Reads an entry of lockfileVersion 1, whose version may be an alias or the source. */
function lockedDependency({ name }: LockNode, entry: JsonObject): Locked {
  const version = withoutPrefix(textOf(entry, 'version'))
  const integrity = textOf(entry, 'integrity')
  const plain = { name, version, license: licenseOf(entry), integrity }
  const address = textOf(entry, 'resolved')?.trim() ?? sourceInFrom(name, entry)
  if (version === undefined || isVersion(version)) return toLocked({ ...plain, address })
  if (version.startsWith('npm:')) {
    const { name: real, rest } = splitAtVersion(version.slice(4))
    return toLocked({ ...plain, name: real || name, version: rest === '' ? undefined : rest, address })
  }
  if (parseSpec(name, version).elsewhere === undefined) return toLocked({ ...plain, address })
  const elsewhere = withoutCredentials(version)
  const archivePackage = archiveNamedBy(address ?? version, name) ?? archiveNamedBy(version, name)
  const identity = archivePackage === undefined ? { version: elsewhere } : archivePackage
  const doubt = archivePackage && judgeNamed({ name, version: undefined, tool: 'npm' }, archivePackage).doubt
  return { name, ...identity, license: plain.license, elsewhere, doubt, integrity }
}

/**
 * Returns the source in `from`, which npm uses for an entry without integrity and `resolved`, unless it is the
 * registry.
 */
function sourceInFrom(name: string, entry: JsonObject): string | undefined {
  const from = textOf(entry, 'from')
  if (from === undefined || textOf(entry, 'integrity') !== undefined) return undefined
  const spec = from.startsWith(`${name}@`) ? from.slice(name.length + 1) : from
  return parseSpec(name, spec).elsewhere === undefined ? undefined : spec
}

function toLocked(entry: Entry): Locked {
  const { name, version, address, license, integrity } = entry
  const plain = { name, version, license, integrity, elsewhere: undefined }
  if (address === undefined) return { ...plain, doubt: unreadableVersion({ name, version, tool: 'npm' }) }
  if (isGitOrLocal(address)) {
    const elsewhere = withoutCredentials(address)
    return { ...plain, version: version ?? elsewhere, elsewhere, doubt: undefined }
  }
  if (/^https?:/i.test(address)) return { ...plain, ...judgeAddress({ name, version, tool: 'npm' }, address) }
  return lockedBySpec(entry, address)
}

/** Reads `1.0.0` or `npm:name@1.0.0` in place of an address, as some tools wrote; npm then asks the registry. */
function lockedBySpec(entry: Entry, address: string): Locked {
  const { name, version, license, integrity } = entry
  const spec = parseSpec(name, address)
  const plain = { name, version, license, integrity, elsewhere: undefined, doubt: undefined }
  if (spec.elsewhere !== undefined) {
    const elsewhere = withoutCredentials(address)
    return { ...plain, version: version ?? elsewhere, elsewhere }
  }
  const archivePackage = { name: spec.name, version: spec.selector }
  if (!isVersion(archivePackage.version)) return { ...plain, doubt: noSource(address, 'npm') }
  return { ...plain, ...judgeNamed({ name, version, tool: 'npm' }, archivePackage) }
}

function licenseOf(entry: JsonObject): string | undefined {
  const license = ownValue(entry, 'license')
  return isObject(license) ? textOf(license, 'type') : textOf(entry, 'license')
}
