import { goVersions } from '#analysis/versions/go.ts'
import { majorInPath } from '../module-path.ts'

/** The state of a vendored package in vendor.json. */
export interface Locked {
  readonly revision: string
  readonly revisionTime: string | undefined
  readonly version: string | undefined
  readonly versionExact: string | undefined
  readonly comment: string | undefined
}

export interface ModuleVersion {
  readonly version: string
  /** False if only the commit and its time are known, not the preceding release. */
  readonly isKnown: boolean
}

const noTime = '00010101000000'

/**
 * Returns the version as a module version: the vendored tag, else a pseudo-version of the commit, based on the tag of a
 * `git describe` in the comment or on none (https://go.dev/ref/mod#pseudo-versions). A tag of major version 2 or later
 * without the version in the module path is `+incompatible`. Undefined without tag and commit.
 */
export function findModuleVersion(repository: string, locked: Locked): ModuleVersion | undefined {
  const tag = [locked.versionExact, locked.version?.replace(/^=/, ''), locked.comment].map(toTag).find(Boolean)
  if (tag !== undefined) return { version: withIncompatible(repository, tag), isKnown: true }
  if (!/^[0-9A-Za-z]{1,64}$/.test(locked.revision)) return undefined
  const commit = `${toTime(locked.revisionTime)}-${locked.revision.slice(0, 12)}`
  const described = /^(v?\d+\.\d+\.\d+[0-9A-Za-z.-]*?)-\d+-g([0-9a-f]{4,40})$/.exec(
    (locked.comment ?? '').slice(0, 256),
  )
  const base = described !== null && locked.revision.startsWith(described[2]!) ? toTag(described[1]) : undefined
  if (base !== undefined) return { version: withIncompatible(repository, after(base, commit)), isKnown: true }
  return { version: `v${majorInPath(repository) ?? 0}.0.0-${commit}`, isKnown: false }
}

/** Returns a tag with at least three numbers, as Go requires; adds a missing `v`. */
function toTag(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 128 || !/^v?\d+\.\d+\.\d+/.test(text) || /-\d+-g[0-9a-f]{4,40}$/.test(text)) {
    return undefined
  }
  const tag = text.startsWith('v') ? text : `v${text}`
  return goVersions.isValid(tag) ? tag.replace(/\+.*/, '') : undefined
}

/** Returns the pseudo-version after a tag: `v1.2.3` → `v1.2.4-0.<commit>`, `v1.2.3-pre` → `v1.2.3-pre.0.<commit>`. */
function after(tag: string, commit: string): string {
  if (tag.includes('-')) return `${tag}.0.${commit}`
  const end = tag.lastIndexOf('.') + 1
  return `${tag.slice(0, end)}${BigInt(tag.slice(end)) + 1n}-0.${commit}`
}

function withIncompatible(repository: string, version: string): string {
  const major = majorOf(version)
  return major >= 2 && majorInPath(repository) === undefined ? `${version}+incompatible` : version
}

export function majorOf(version: string): number {
  return Number(/^v(\d{1,9})/.exec(version)?.[1] ?? 0)
}

/** Formats `yyyymmddhhmmss` in UTC; Go's zero time if unknown. */
function toTime(text: string | undefined): string {
  const at = text === undefined || !/^\d{4}-\d\d-\d\dT/.test(text) ? Number.NaN : Date.parse(text)
  return Number.isNaN(at)
    ? noTime
    : new Date(at)
        .toISOString()
        .replace(/\..*|\D/g, '')
        .slice(0, 14)
}
