import type { Package } from '#analysis/dependency-graph.ts'
import { isObject, parseJsonObject, shorten } from '#analysis/documents/json-document.ts'
import type { ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import type { SourcePosition } from '../pom.ts'
import type { CatalogSource } from './catalog.ts'
import { isDevConfiguration } from './configurations.ts'
import type { Unread } from './facts.ts'

/** A locked module; `isDev` if only tests and build tools use it. */
export interface Locked extends Package {
  readonly isDev: boolean
}

/**
 * Reads gradle.lockfile (`group:name:version=configurations` lines), the dependencies.lock of Netflix's plugin, or a
 * lock of one configuration (`group:name:version` lines), which Gradle wrote before its version 7.
 */
export function readLockfile({ file, text }: CatalogSource, places?: ManifestPlaces): Locked[] {
  return isJsonLock(text)
    ? readJsonLock(parseJsonObject({ file, text }))
    : readLines(text, configurationAt(pathOf(file, places)))
}

const HEADER = '# This is a Gradle generated file for dependency locking'

/** Reports malformed lines, which Gradle refuses, and a lock without the last line that Gradle writes. */
export function findLockFaults({ file, text }: CatalogSource): Unread[] {
  if (isJsonLock(text)) return []
  const isOfOne = isOfOneConfiguration(text)
  const module = isOfOne ? /^[^:=#]+:[^:=]+:[^:=]+$/ : /^[^:=#]+:[^:=]+:[^:=]+=/
  const lines = text.split('\n')
  const faults = lines.flatMap((line, index): Unread[] => {
    const written = line.trim()
    if (written === '' || written.startsWith('#') || module.test(written) || /^empty=/.test(written)) return []
    return [toUnread(shorten(written), 'This line is not a locked module', { file, line: index + 1 })]
  })
  if (isOfOne || !text.startsWith(HEADER) || /^empty=/m.test(text)) return faults
  const reason = 'The lockfile has no final line "empty=", so it is incomplete. Write it again with --write-locks'
  return [...faults, toUnread('lock', reason, { file, line: lines.length })]
}

function toUnread(name: string, reason: string, place: SourcePosition): Unread {
  return { name, range: '', code: 'not-static', reason, place, isDev: false }
}

/** Returns the modules of all locks of a project. */
export function mergeLocks(locks: readonly (readonly Locked[])[]): Locked[] {
  return locks.length < 2 ? locks.flat() : merge(locks.flat())
}

/** Merges configurations: a module in any of the product is not test-only. */
function merge(all: readonly Locked[]): Locked[] {
  const byKey = new Map<string, Locked>()
  for (const locked of all) {
    const key = `${locked.name}@${locked.version}`
    byKey.set(key, { ...locked, isDev: locked.isDev && byKey.get(key)?.isDev !== false })
  }
  return [...byKey.values()]
}

/** Returns true for the lock of a single configuration, whose lines do not name configurations. */
function isOfOneConfiguration(text: string): boolean {
  return !/^[^#\r\n]*=/m.test(text)
}

function readLines(text: string, configuration: string): Locked[] {
  const missing = isOfOneConfiguration(text) ? configuration : undefined
  return text.split('\n').flatMap((line) => {
    const [coordinates = '', configurations = missing] = line.trim().split('=')
    const [group, artifact, version] = coordinates.split(':')
    if (coordinates.startsWith('#') || configurations === undefined || !group || !artifact || !version) return []
    const isDev = configurations.split(',').every(isDevConfiguration)
    return [{ name: `${group}:${artifact}`, version, isDev }]
  })
}

/** The configuration of `gradle/dependency-locks/<configuration>.lockfile`; empty, and so of the product, elsewhere. */
function configurationAt(path: string | undefined): string {
  return /(?:^|\/)dependency-locks\/([^/]+)\.lockfile$/.exec(path ?? '')?.[1] ?? ''
}

function pathOf(file: CatalogSource['file'], places: ManifestPlaces | undefined): string | undefined {
  return file === 'target' ? places?.target : places?.additional[file]
}

function isJsonLock(text: string): boolean {
  return text.trimStart().startsWith('{') && /"locked"\s*:/.test(text)
}

/** Reads a lock by configuration and module. */
function readJsonLock(document: unknown): Locked[] {
  const all = entriesOf(document).flatMap(([configuration, modules]) => {
    const isDev = isDevConfiguration(configuration)
    return entriesOf(modules).flatMap(([name, about]): Locked[] => {
      const version = entriesOf(about).find(([key]) => key === 'locked')?.[1]
      return typeof version === 'string' && /^[^:]+:[^:]+$/.test(name) ? [{ name, version, isDev }] : []
    })
  })
  return merge(all)
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}
