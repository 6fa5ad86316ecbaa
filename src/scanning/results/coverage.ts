import type { ExploitSource } from '#analysis/advisories/exploit-signals.ts'
import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { TestContext } from './context.ts'
import { isLicenseKnown, type Licenses } from './find-licenses.ts'
import type { Coverage } from './test-result.ts'

/** Limit on the packages without a known license that are listed. */
const MAX_NAMED = 100

export interface Covered {
  readonly licenses: Licenses
  readonly boundsMet: readonly string[]
}

/** Returns the coverage of a result. */
export function toCoverage(reading: Reading, { licenses, boundsMet }: Covered, context: TestContext): Coverage {
  const { header } = context.advisories.snapshot
  const { severityThreshold } = context.task
  const { policy } = context
  const registries = listRegistries(reading, context)
  const lacking = registries.filter((registry) => header.registries[registry] === undefined)
  const headers = registries.flatMap((registry) => header.registries[registry] ?? [])
  const packages = licenses.packages.length
  // Without advisories nothing can be found, which is not the same as clean.
  const unknown = lacking.map((registry) => `There are no advisories for ${registry}; run "gatehouse advisories sync"`)
  return {
    ...(declaresNone(reading, context) && { declaresNone: true }),
    complete: reading.unresolved.length === 0 && lacking.length === 0 && licenses.isWhole,
    filesRead: reading.filesRead,
    locked: reading.locked,
    dependencies: {
      found: packages + countMissing(reading),
      resolved: packages,
      unresolved: reading.unresolved.length,
    },
    unresolved: reading.unresolved,
    excluded: reading.excluded,
    boundsMet: [...unknown, ...reading.boundsMet, ...boundsMet],
    ...(policy && { policyFile: { path: policy.path, rules: policy.rules.length, notes: [...policy.notes] } }),
    ...(severityThreshold !== undefined && { severityThreshold }),
    licenses: toLicenses(licenses),
    registryAnswers: toRegistryAnswers(context),
    advisories: {
      digest: header.digest,
      builtAt: new Date(header.builtAt).toISOString(),
      newestAdvisory:
        headers
          .map(({ newestModified }) => newestModified)
          .sort()
          .at(-1) ?? '',
      records: headers.reduce((sum, { records }) => sum + records, 0),
      source: header.source,
      starterSet: header.isStarterSet,
      ...toExploitCoverage(header.exploitSources),
    },
  }
}

function toExploitCoverage(sources: readonly ExploitSource[] = []) {
  const catalogs = sources.filter(({ kind }) => kind === 'kev')
  return {
    // Catalogs share most entries.
    knownExploited: Math.max(0, ...catalogs.map(({ entries }) => entries)),
    exploitSources: sources.map(({ label, kind, released, fetchedAt, entries, failure }) => ({
      source: label,
      ...(kind && { kind }),
      ...(released !== '' && { released }),
      ...(fetchedAt > 0 && { fetchedAt: new Date(fetchedAt).toISOString() }),
      entries,
      ...(failure !== undefined && { failure }),
    })),
  }
}

/** Returns the registries with whose advisories the packages are compared. */
function listRegistries({ graph }: Reading, { ecosystem }: TestContext): Registry[] {
  if (!ecosystem.isMixed) return [ecosystem.registry]
  const registries = new Set(graph.nodes.flatMap(({ registry = 'none' }) => (registry === 'none' ? [] : registry)))
  return [...registries].sort()
}

/** Counts unresolved dependencies without a package in the graph; the others count as resolved packages. */
function countMissing({ graph, unresolved }: Reading): number {
  if (unresolved.length === 0) return 0
  const toKey = (name: string, version: string) => JSON.stringify([name, version.replace(/^[=\s]+/, '')])
  const missing = new Set(unresolved.map(({ name, range }) => toKey(name, range)))
  for (const { package: current, edges } of graph.nodes) {
    missing.delete(toKey(current.name, current.version))
    for (const { to, range } of edges) missing.delete(toKey(graph.nodes[to]!.package.name, range))
  }
  return missing.size
}

/** Returns true for files that require no package at all: the test is complete, but nothing was tested. */
function declaresNone({ graph, unresolved, excluded }: Reading, { task }: TestContext): boolean {
  if (task.subject.kind !== 'files' || graph.nodes.length > 1 || unresolved.length > 0) return false
  return excluded.every(({ packages }) => packages === 0)
}

function toLicenses({ packages, registryAsked }: Licenses): Coverage['licenses'] {
  const unknown = packages.filter((license) => !isLicenseKnown(license))
  return {
    known: packages.length - unknown.length,
    unknown: unknown.length,
    unknownPackages: unknown
      .slice(0, MAX_NAMED)
      .map(({ distinct: { package: unknownPackage } }) => `${unknownPackage.name}@${unknownPackage.version}`),
    registryAsked,
  }
}

function toRegistryAnswers({ findStaleAnswer }: TestContext): Coverage['registryAnswers'] {
  const stale = findStaleAnswer()
  return {
    stale: stale?.count ?? 0,
    oldestStaleAt: stale === undefined ? null : new Date(stale.oldestAt).toISOString(),
  }
}
