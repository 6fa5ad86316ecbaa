import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { CrateSource } from './cargo-toml.ts'

/** Cargo writes the address of the default index into lockfiles even if it reads a mirror. */
const DEFAULT_INDEX = /^registry\+https:\/\/github\.com\/rust-lang\/crates\.io-index$/

/** Returns true for a locked source that is the public registry. */
export function isFromRegistry(source: string | undefined): boolean {
  return source !== undefined && DEFAULT_INDEX.test(source)
}

/** Describes a locked source. */
export function describeSource(source: string | undefined): string {
  if (source === undefined) return 'a folder'
  if (isFromRegistry(source)) return 'the registry'
  const [, kind, address = source] = /^(registry|sparse|git)\+(.*)$/.exec(source) ?? []
  if (kind === 'git') return 'a git repository'
  return `another registry (${withoutCredentials(shorten(address))})`
}

/** Returns the commit of a git source. */
export function toCommit(source: string | undefined): string | undefined {
  return /^git\+[^#]*#([\da-f]{40})$/.exec(source ?? '')?.[1]
}

/** Returns true if a locked source may be the declared one. */
export function isSameSource(declared: CrateSource, locked: string | undefined): boolean {
  if (declared.kind === 'folder') return locked === undefined
  if (declared.kind === 'registry') return isFromRegistry(locked)
  if (declared.kind === 'other-registry') return /^(?:registry|sparse)\+/.test(locked ?? '') && !isFromRegistry(locked)
  return locked !== undefined && toComparable(declared.url) === toComparable(locked)
}

/** Removes what makes no difference between URLs of git repositories, as Cargo does (`CanonicalUrl`). */
function toComparable(source: string): string {
  const [address = '', query = ''] = decode(source.replace(/#.*$/, '')).split('?', 2)
  const path = address.replace(/\/+$/, '').replace(/\.git$/, '')
  const canonical = /^git\+https?:\/\/github\.com\//i.test(path) ? path.toLowerCase() : path
  // Lockfiles before version 3 leave out the default branch.
  return query === '' || query === 'branch=master' ? canonical : `${canonical}?${query}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Describes the difference between a declared and a locked source. */
export function describeDifference({ kind }: CrateSource, locked: string | undefined): string {
  const inLock = describeSource(locked)
  if (kind === 'git' && locked?.startsWith('git+')) {
    return 'Cargo.toml names another git repository, branch, tag or revision than Cargo.lock'
  }
  return `Cargo.toml takes it from ${declaredSources[kind]}, Cargo.lock from ${inLock}`
}

const declaredSources: Readonly<Record<CrateSource['kind'], string>> = {
  folder: 'a folder',
  git: 'a git repository',
  registry: 'the registry',
  'other-registry': 'another registry',
}
