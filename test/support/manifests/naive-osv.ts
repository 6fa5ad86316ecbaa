import type { OsvEvent, OsvRecord } from '#analysis/advisories/osv.ts'
import { findRegistry, normalizeName } from '#analysis/advisories/package-names.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'

export interface Query {
  readonly registry: Registry
  readonly name: string
  readonly version: string
  readonly scheme: VersionScheme
}

/**
 * Returns true if a record affects a version: the OSV schema's evaluation written down directly, event by event. The
 * oracle for compiled snapshots.
 */
export function isAffected(record: OsvRecord, query: Query): boolean {
  const { version, scheme } = query
  const versions = [version, scheme.toPublic?.(version) ?? version]
  return record.withdrawn === undefined && versions.some((version) => isListed(record, { ...query, version: version }))
}

function isListed(record: OsvRecord, { registry, name, version, scheme }: Query): boolean {
  return record.affected
    .filter(({ package: target }) => findRegistry(target.ecosystem) === registry)
    .filter(({ package: target }) => normalizeName(registry, target.name) === normalizeName(registry, name))
    .some(
      ({ versions = [], ranges = [] }) =>
        versions.some((listed) => scheme.compare(listed, version) === 0) ||
        ranges.some(({ type, events }) => type !== 'GIT' && isInRange(events, version, scheme)),
    )
}

function isInRange(events: readonly OsvEvent[], version: string, scheme: VersionScheme): boolean {
  return isBeforeLimits(events, version, scheme) && isVulnerable(events, version, scheme)
}

function isBeforeLimits(events: readonly OsvEvent[], version: string, scheme: VersionScheme): boolean {
  const limits = events.flatMap(({ limit }) => limit ?? [])
  if (limits.length === 0) return true
  return limits.some((limit) => limit === '*' || !scheme.isValid(limit) || scheme.compare(version, limit) < 0)
}

function isVulnerable(events: readonly OsvEvent[], version: string, scheme: VersionScheme): boolean {
  let isOpen = events.some(({ introduced }) => introduced === '0' || (introduced && !scheme.isValid(introduced)))
  const turns = events
    .flatMap(({ introduced, fixed, last_affected }) => [
      { kind: 'introduced', at: introduced === '0' ? undefined : introduced },
      { kind: 'fixed', at: fixed },
      { kind: 'last_affected', at: last_affected },
    ])
    .filter((turn): turn is { kind: string; at: string } => turn.at !== undefined && scheme.isValid(turn.at))
    .filter(({ at }) => scheme.compare(version, at) >= 0)
    .sort((a, b) => scheme.compare(a.at, b.at))
  while (turns.length > 0) {
    const { at } = turns[0]!
    const here = turns.filter((turn) => scheme.compare(turn.at, at) === 0).map(({ kind }) => kind)
    turns.splice(0, here.length)
    const opens = here.includes('introduced')
    const closes = here.includes('fixed') || (here.includes('last_affected') && scheme.compare(version, at) > 0)
    isOpen = isOpen ? !closes || opens : opens && !closes
  }
  return isOpen
}
