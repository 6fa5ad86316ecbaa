import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import type {
  MavenArtifact,
  MavenCoordinates,
  MavenReader,
  MavenVersions,
  ModuleMetadata,
} from '../../registries/maven.ts'
import { RegistryUnreachable } from '../ecosystem.ts'
import { type Pom, parsePom } from './pom.ts'

export interface ReadFailure {
  readonly code: Extract<Unresolved['code'], 'not-in-registry' | 'registry-unreachable' | 'bound-met'>
  readonly reason: string
}

export type PomAnswer = { readonly pom: Pom } | ReadFailure
export type VersionsAnswer = { readonly versions: MavenVersions } | ReadFailure

export type ModuleAnswer = { readonly module: ModuleMetadata | undefined } | ReadFailure

/** Queries to repositories: each once, with limits on concurrency and total. */
export interface PomReads {
  pom(coordinates: MavenCoordinates): Promise<PomAnswer>
  /** Returns Gradle's own metadata; no module if there is none. */
  module(coordinates: MavenCoordinates): Promise<ModuleAnswer>
  versions(artifact: MavenArtifact): Promise<VersionsAnswer>
  /** Number of queries so far. */
  readonly queryCount: number
  /** True once a query was skipped because of the limit. */
  readonly isExhausted: boolean
}

export interface PomReadsSettings {
  /** Base URLs named by the request; they replace the configured repositories. */
  readonly requested: readonly string[]
  /** Base URLs named by the project's own POMs. */
  readonly declared: readonly string[]
  readonly maxQueries: number
}

/** Maximum number of queries to repositories per project. */
export const MAX_QUERIES = 20_000
const MAX_IN_FLIGHT = 32

export function createPomReads(reader: MavenReader, settings: PomReadsSettings): PomReads {
  const { requested, declared, maxQueries } = settings
  const repositories = { requested, declared }
  const answers = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let inFlight = 0
  let queryCount = 0
  let isExhausted = false

  async function ask<T>(question: () => Promise<T>): Promise<T | ReadFailure> {
    if (queryCount >= maxQueries) {
      isExhausted = true
      return { code: 'bound-met', reason: `More than ${maxQueries} registry requests are needed` }
    }
    queryCount++
    if (inFlight >= MAX_IN_FLIGHT) await new Promise<void>((resolve) => waiting.push(resolve))
    else inFlight++
    try {
      return await question()
    } catch (error) {
      if (!(error instanceof RegistryUnreachable)) throw error
      return { code: 'registry-unreachable', reason: `No repository responded: ${error.message}` }
    } finally {
      const next = waiting.shift()
      if (next === undefined) inFlight--
      else next()
    }
  }

  function once<T>(key: string, question: () => Promise<T>): Promise<T | ReadFailure> {
    const existing = answers.get(key) as Promise<T | ReadFailure> | undefined
    if (existing !== undefined) return existing
    const answer = ask(question)
    answers.set(key, answer)
    return answer
  }

  return {
    get queryCount() {
      return queryCount
    },
    get isExhausted() {
      return isExhausted
    },
    pom(coordinates) {
      const { group, artifact, version } = coordinates
      return once<PomAnswer>(`${group}:${artifact}:${version}`, async () => {
        if (![group, artifact, version].every(isCoordinate)) return unknown
        const content = await reader.pom(coordinates, repositories)
        return content === undefined ? unknown : read(content.text)
      })
    },
    module(coordinates) {
      const { group, artifact, version } = coordinates
      return once<ModuleAnswer>(`module ${group}:${artifact}:${version}`, async () => {
        return { module: await reader.module?.(coordinates, repositories) }
      })
    },
    versions(artifact) {
      return once<VersionsAnswer>(`${artifact.group}:${artifact.artifact}`, async () => {
        if (![artifact.group, artifact.artifact].every(isCoordinate)) return unlisted
        const versions = await reader.versions(artifact, repositories)
        return versions === undefined ? unlisted : { versions }
      })
    },
  }
}

const unknown: ReadFailure = { code: 'not-in-registry', reason: 'No repository has its POM' }
const unlisted: ReadFailure = { code: 'not-in-registry', reason: 'No repository lists its versions' }

function read(text: string): PomAnswer {
  try {
    return { pom: parsePom({ file: 'target', text }, 'repository') }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { code: 'not-in-registry', reason: `The repository's POM cannot be read: ${error.message}` }
  }
}

/** Returns true for text allowed in a repository path; an unresolved expression is not. */
export function isCoordinate(text: string): boolean {
  return /^[\w.+~-]{1,300}$/.test(text) && !/^\.+$/.test(text) && !text.includes('..')
}
