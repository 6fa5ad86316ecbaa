import { DEFAULT_EXCLUSIONS, parseExclusions } from '#analysis/discovery/projects-in-tree/exclusions.ts'
import type { Config } from '#foundation/config.ts'
import { Problem } from '#foundation/problem.ts'
import { serverPython } from '#scanning/reading/server-python.ts'
import type { PythonQuery, RelockQuery, RepositoriesQuery, StandardLibraryQuery } from './resource.ts'

export type ChoiceQuery = RepositoriesQuery & PythonQuery & StandardLibraryQuery & RelockQuery

/** Returns the options of a test that the query determines. Throws `Problem` for invalid repositories. */
export function toTestChoices(query: ChoiceQuery, config: Config) {
  const { acceptPartial = false, includeDev = false, repository = [], pythonVersion, pythonPlatform } = query
  const { severityThreshold, standardLibrary = true, relock = false, renew = [] } = query
  for (const url of repository) requireWebUrl(url)
  const python = {
    ...serverPython(config),
    ...(pythonVersion !== undefined && { version: pythonVersion, basis: 'request' as const }),
    ...(pythonPlatform !== undefined && { platform: pythonPlatform }),
  }
  const threshold = severityThreshold === undefined ? {} : { severityThreshold }
  const next = relock ? { relock: { renew } } : {}
  return { acceptPartial, includeDev, standardLibrary, repositories: repository, python, ...threshold, ...next }
}

function requireWebUrl(text: string): void {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '') return
  throw new Problem('invalid-request', 'Parameter repository must be an http or https URL', {
    source: { parameter: 'repository' },
  })
}

/** Parses the parameter `exclude`. Throws `Problem`. */
export function toExclusions(text: string | undefined): readonly string[] {
  if (text === undefined) return DEFAULT_EXCLUSIONS
  const parsed = parseExclusions(text)
  if ('names' in parsed) return parsed.names
  throw new Problem('invalid-request', `Parameter exclude ${parsed.problem}`, { source: { parameter: 'exclude' } })
}
