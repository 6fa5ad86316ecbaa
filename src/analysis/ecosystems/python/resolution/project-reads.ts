import type { Unresolved } from '#analysis/dependency-graph.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { PyPiIndex, PyPiMetadata, PyPiReader } from '#analysis/registries/pypi.ts'
import type { PythonEnvironment } from '../packaging/environment.ts'
import { isProjectName } from '../packaging/project-name.ts'
import { type FilePolicy, listFiles, type PublishedFile } from '../packaging/published-files.ts'
import { parseRequirement, type Requirement } from '../packaging/requirement.ts'

export type Absence = Pick<Unresolved, 'code' | 'reason'>

/** The metadata of one version. */
export interface VersionFacts {
  readonly requirements: readonly Requirement[]
  readonly requiresPython: string | undefined
  readonly extras: ReadonlySet<string>
  readonly license: string | undefined
  /** The reason for which its dependencies are unknown. */
  readonly unknown: Absence | undefined
  /** True for metadata that pip refuses, together with the version. */
  readonly isInvalid: boolean
}

/** Queries to the registry, each once. */
export interface ProjectReads {
  /** Returns the files, most preferred first. */
  files(project: string): Promise<readonly PublishedFile[] | Absence>
  facts(project: string, file: PublishedFile): Promise<VersionFacts>
  /** Starts a query without waiting. */
  prefetch(project: string): void
  foreseeFacts(project: string, file: PublishedFile): void
}

export interface ReadsSettings {
  readonly environment: PythonEnvironment
  readonly policy: FilePolicy
  readonly indexes: readonly PyPiIndex[]
  /** Packages in the graph. */
  readonly maxNodes: number
}

/** Limit of queries per test, at least two per package; resolution ends there. */
const MAX_QUERIES = 50_000
const unanswered = { code: 'registry-unreachable', reason: 'The registry gave no answer for it' } as const

export function createProjectReads(reader: PyPiReader, settings: ReadsSettings): ProjectReads {
  const projects = new Map<string, Promise<readonly PublishedFile[] | Absence>>()
  const versions = new Map<PublishedFile, Promise<VersionFacts>>()
  const maxQueries = Math.min(MAX_QUERIES, 2 * settings.maxNodes)
  let questions = 0

  function files(project: string) {
    return once(projects, project, () => readFiles(project))
  }

  async function readFiles(project: string): Promise<readonly PublishedFile[] | Absence> {
    if (!isProjectName(project)) return { code: 'not-in-registry', reason: 'Invalid project name' }
    if (questions++ > maxQueries) return { code: 'bound-met', reason: 'Too many projects to query' }
    const answer = await orAbsence(() => reader.project(project, settings.indexes))
    if (answer === undefined) return { code: 'not-in-registry', reason: 'The registry does not know this project' }
    return 'code' in answer ? answer : listFiles(project, answer, settings)
  }

  function facts(project: string, file: PublishedFile) {
    return once(versions, file, () => readFacts(project, file))
  }

  async function readFacts(project: string, { version, filename }: PublishedFile): Promise<VersionFacts> {
    if (questions++ > maxQueries) return toUnknown({ code: 'bound-met', reason: 'Too many versions to query' })
    const answer = await orAbsence(() => reader.metadata({ project, version, filename }, settings.indexes))
    if (answer === undefined)
      return toUnknown({ code: 'not-static', reason: 'The registry has no metadata of this version' })
    return 'code' in answer ? toUnknown(answer) : toFacts(answer)
  }

  return {
    files,
    facts,
    prefetch: (project) => void files(project).catch(() => undefined),
    foreseeFacts: (project, file) => void facts(project, file).catch(() => undefined),
  }
}

function once<K, T>(cache: Map<K, Promise<T>>, key: K, ask: () => Promise<T>): Promise<T> {
  let answer = cache.get(key)
  if (answer === undefined) {
    answer = ask()
    cache.set(key, answer)
  }
  return answer
}

async function orAbsence<T>(ask: () => Promise<T>): Promise<T | Absence> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof RegistryUnreachable)) throw error
    return unanswered
  }
}

function toFacts({ requiresDist, requiresPython, provides, license }: PyPiMetadata): VersionFacts {
  const parsed = (requiresDist ?? []).map(parseRequirement)
  const requirements = parsed.filter((requirement) => requirement !== undefined)
  const reason = 'Only its source is published, and what it depends on is known when that is built'
  return {
    requirements,
    requiresPython,
    extras: new Set(provides),
    license,
    unknown: requiresDist === undefined ? { code: 'not-static', reason } : undefined,
    isInvalid: requirements.length < parsed.length,
  }
}

function toUnknown(unknown: Absence): VersionFacts {
  return {
    requirements: [],
    requiresPython: undefined,
    extras: new Set(),
    license: undefined,
    unknown,
    isInvalid: false,
  }
}
