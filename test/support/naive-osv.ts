import type { OsvEvent, OsvRecord } from '#analysis/advisories/osv.ts'
import { findRegistry, normaliseName } from '#analysis/advisories/package-names.ts'
import type { Registry } from '#analysis/ecosystems/ecosystem.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'

export interface Query {
  readonly registry: Registry
  readonly name: string
  readonly version: string
  readonly scheme: VersionScheme
}

/**
 * Whether a record affects a version: the evaluation of the OSV schema written down directly, event by event, with no
 * thought for speed. The oracle that the compiled snapshot is held against.
 */
export function isAffected(record: OsvRecord, { registry, name, version, scheme }: Query): boolean {
  if (record.withdrawn !== undefined) return false
  return record.affected
    .filter(({ package: named }) => findRegistry(named.ecosystem) === registry)
    .filter(({ package: named }) => normaliseName(registry, named.name) === normaliseName(registry, name))
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
  const compare = (a: string, b: string) =>
    a === '0' || b === '0' ? Number(a !== '0') - Number(b !== '0') : scheme.compare(a, b)
  const turns = events
    .map(({ introduced, fixed, last_affected }) => {
      if (introduced !== undefined) return { at: scheme.isValid(introduced) ? introduced : '0', kind: 'introduced' }
      return { at: fixed ?? last_affected, kind: fixed === undefined ? 'last_affected' : 'fixed' }
    })
    .filter((turn): turn is { at: string; kind: string } => turn.at !== undefined)
    .filter(({ at, kind }) => kind === 'introduced' || scheme.isValid(at))
    .filter(({ at }) => at === '0' || scheme.compare(at, version) <= 0)
    .sort((a, b) => compare(a.at, b.at))
  let isOpen = false
  for (let i = 0; i < turns.length; ) {
    const { at } = turns[i]!
    const here: string[] = []
    while (i < turns.length && compare(turns[i]!.at, at) === 0) here.push(turns[i++]!.kind)
    const isPast = at === '0' || scheme.compare(version, at) > 0
    const opens = here.includes('introduced')
    const closes = here.includes('fixed') || (here.includes('last_affected') && isPast)
    isOpen = isOpen ? !closes || opens : opens && !closes
  }
  return isOpen
}
