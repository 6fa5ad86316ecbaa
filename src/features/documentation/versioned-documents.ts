import {
  findRelease,
  formatVersion,
  oldestFirst,
  PIVOT,
  parseRelease,
  type Version,
} from '#foundation/http/versions.ts'
import { Problem } from '#foundation/problem.ts'
import { apiStyleOf, type OpenApi, type Operation, operationsOf } from './openapi-document.ts'
import { withUsedComponents } from './used-components.ts'

/** Lists every release of every operation, oldest first. */
export function releasesOf(document: OpenApi): string[] {
  const releases = operationsOf(document).flatMap(({ operation }) => operation['x-releases'] ?? [])
  return [...new Set(releases)].map(parseRelease).sort(oldestFirst).map(formatVersion)
}

/**
 * Returns the earliest version with the same document as the requested one. So few versions represent all dates that
 * all of their documents can be cached. Throws 404 before the first release.
 */
export function representativeOf(requested: Version, releases: readonly string[]): Version {
  const date = releases
    .map((release) => parseRelease(release).date)
    .filter((released) => released <= requested.date)
    .at(-1)
  if (date === undefined) {
    throw new Problem('version-not-found', `Version not found: the first release is ${releases[0]}`, {
      source: { parameter: 'version' },
    })
  }
  if (requested.date < PIVOT) return { date, stability: requested.stability }
  return { date: [date, PIVOT].sort()[1]!, stability: 'ga' }
}

/** Returns the document of one version: of each dated operation, the release that this version serves. */
export function documentAt(document: OpenApi, requested: Version): OpenApi {
  const paths: OpenApi['paths'] = {}
  const used = new Set<string>()
  for (const { path, method, operation } of operationsOf(document)) {
    const served = apiStyleOf(path) === 'rest' ? servedAt(operation, requested) : undefined
    if (!served) continue
    paths[path] = { ...paths[path], [method]: served }
    for (const tag of served.tags ?? []) used.add(tag)
  }
  return withUsedComponents({
    ...document,
    info: { ...document.info, version: formatVersion(requested) },
    tags: document.tags.filter(({ name }) => used.has(name)),
    paths,
  })
}

function servedAt(operation: Operation, requested: Version): Operation | undefined {
  const releases = operation['x-releases']
  if (releases === undefined) return operation
  const release = findRelease(requested, releases)
  return release && { ...operation, 'x-release': formatVersion(release) }
}
