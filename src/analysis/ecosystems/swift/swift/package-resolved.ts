import { isObject, type JsonObject, ownValue, shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { toSwiftName } from '#analysis/swift-names.ts'
import type { LockedPackage } from '../../locked/locked-project.ts'

const VERSIONS: readonly unknown[] = [1, 2, 3]
const KINDS: readonly string[] = ['remoteSourceControl', 'localSourceControl', 'registry']

/** Parses a Package.resolved of version 1 to 3 into its packages, by identity. */
export function parsePackageResolved(document: JsonObject, file: 'target' | number): Map<string, LockedPackage> {
  const version = ownValue(document, 'version')
  if (!VERSIONS.includes(version)) {
    throw new Unreadable(`Unsupported version ${shorten(String(version))} of Package.resolved; supported: 1 to 3`, {
      file,
    })
  }
  const holder = version === 1 ? ownValue(document, 'object') : document
  const pins = isObject(holder) ? ownValue(holder, 'pins') : undefined
  if (!Array.isArray(pins)) throw new Unreadable('"pins" must be a list', { file })
  const packages = new Map<string, LockedPackage>()
  for (const pin of pins) {
    const location = isObject(pin) ? (textOf(pin, 'location') ?? textOf(pin, 'repositoryURL')) : undefined
    const identity = isObject(pin)
      ? (textOf(pin, 'identity')?.toLowerCase() ?? (location && toIdentity(location)))
      : undefined
    const state = isObject(pin) ? ownValue(pin, 'state') : undefined
    if (identity === undefined || !isObject(pin) || !isObject(state)) {
      throw new Unreadable('A pin has no location or state', { file })
    }
    if (packages.has(identity)) throw new Unreadable(`Two pins of ${shorten(identity)}`, { file })
    const kind = textOf(pin, 'kind') ?? 'remoteSourceControl'
    if (!KINDS.includes(kind)) {
      throw new Unreadable(`The pin of ${shorten(identity)} has the unknown kind "${shorten(kind)}"`, { file })
    }
    packages.set(identity, toPackage({ identity, kind, location }, state))
  }
  return packages
}

interface Pin {
  readonly identity: string
  readonly kind: string
  readonly location: string | undefined
}

function toPackage({ identity, kind, location }: Pin, state: JsonObject): LockedPackage {
  const [version, revision, branch] = ['version', 'revision', 'branch'].map((key) => textOf(state, key))
  const isLocal = kind === 'localSourceControl' || /^(?:[./~]|file:)/.test(location ?? '/')
  const elsewhere =
    kind === 'registry'
      ? 'a registry of Swift packages'
      : isLocal
        ? 'a local repository'
        : version !== undefined
          ? undefined
          : branch === undefined
            ? 'a revision of its repository'
            : `the branch ${shorten(branch)} of its repository`
  return {
    name:
      location === undefined || isLocal || kind === 'registry' ? identity : toSwiftName(withoutCredentials(location)),
    version: version ?? revision ?? '',
    requires: [],
    ...(elsewhere !== undefined && { elsewhere }),
    ...(revision !== undefined && { commit: revision }),
  }
}

/** Returns the name by which SwiftPM identifies a package: the end of its location, in lower case. */
export function toIdentity(location: string): string {
  const name = location.replace(/\/+$/, '').replace(/\.git$/i, '')
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1).toLowerCase()
}
