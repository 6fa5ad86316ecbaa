import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type {
  MavenArtifact,
  MavenCoordinates,
  MavenReader,
  MavenRepositories,
  MavenVersions,
  ModuleMetadata,
  PomFile,
} from '#analysis/registries/maven.ts'
import { getDefaultRegistryUrl } from '../default-registries.ts'
import { createRegistryClient, type Question, type RegistryClient, type RegistryParts } from '../registry-client.ts'
import { parseArtifactMetadata, parseSnapshotVersion } from './maven-metadata.ts'
import { parseModuleMetadata } from './module-metadata.ts'
import { decodePom } from './pom-text.ts'
import { toRepository } from './repository.ts'

export interface MavenRegistrySettings {
  /** Base URLs, asked in this order instead of those that build files name; defaults to the public repository. */
  readonly repositories?: readonly string[] | undefined
  /** Milliseconds for which a changeable answer is used without revalidation. */
  readonly maxAgeMs: number
}

/** Factor for the age of published POMs, which never change: 30 days if other answers are used for one hour. */
const RELEASE_AGES = 720
/** Limit of cached clients, one per repository, as each may fail separately. */
const MAX_CLIENTS = 200
const XML = 'application/xml, text/xml;q=0.9, */*;q=0.5'
const JSON_DOCUMENT = 'application/json, */*;q=0.5'

export function createMavenRegistry(parts: RegistryParts, settings: MavenRegistrySettings): MavenReader {
  const { repositories: configured, ...bounds } = settings
  const clients = new Map<string, RegistryClient>()

  function clientOf(base: string, authorization: string | undefined): RegistryClient {
    const existing = clients.get(base)
    if (existing !== undefined) return existing
    const [oldest] = clients.keys()
    if (clients.size === MAX_CLIENTS && oldest !== undefined) clients.delete(oldest)
    const client = createRegistryClient(parts, { ...bounds, authorization })
    clients.set(base, client)
    return client
  }

  /** Returns the base URLs in the order in which they are asked. */
  function basesOf({ requested, declared }: MavenRepositories): string[] {
    const own = configured ?? [...declared, getDefaultRegistryUrl('maven')]
    const bases = requested.length === 0 ? own : [...requested, ...(configured === undefined ? declared : [])]
    return [...new Set(bases.map((url) => url.replace(/\/+$/, '')))]
  }

  async function ask<T>(base: string, question: Asking<T> & Partial<Pick<Question<T>, 'maxAgeMs'>>, path: string) {
    const { url, authorization } = toRepository(base, { mayHoldCredentials: configured?.includes(base) === true })
    const client = clientOf(base, authorization)
    const { value } = await client.ask<T>({ accept: XML, ...question, url: `${url}/${path}` })
    return value
  }

  /** Returns the file of a version with this extension. */
  async function fileIn<T>(
    base: string,
    coordinates: MavenCoordinates,
    { ending, ...asking }: Asking<T> & { ending: string },
  ) {
    const { artifact, version } = coordinates
    const folder = `${folderOf(coordinates)}/${encodeURIComponent(version)}`
    const isSnapshot = version.endsWith('-SNAPSHOT')
    const file = isSnapshot ? ((await snapshotIn(base, folder)) ?? version) : version
    const age = isSnapshot ? {} : { maxAgeMs: bounds.maxAgeMs * RELEASE_AGES }
    return ask<T>(base, { ...asking, ...age }, `${folder}/${encodeURIComponent(`${artifact}-${file}.${ending}`)}`)
  }

  async function pomIn(base: string, coordinates: MavenCoordinates): Promise<PomFile | undefined> {
    const text = await fileIn(base, coordinates, { ending: 'pom', form: 'pom-1', reduce: decodePom })
    return text === undefined ? undefined : { text, repository: toRepository(base, { mayHoldCredentials: true }).url }
  }

  async function snapshotIn(base: string, folder: string): Promise<string | undefined> {
    const question = { form: 'maven-snapshot-1', reduce: parseSnapshotVersion }
    return (await ask(base, question, `${folder}/maven-metadata.xml`))?.version
  }

  async function findPom(coordinates: MavenCoordinates, repositories: MavenRepositories) {
    const failures: RegistryUnreachable[] = []
    for (const base of basesOf(repositories)) {
      const pom = await orFailure(pomIn(base, coordinates))
      if (pom instanceof RegistryUnreachable) failures.push(pom)
      else if (pom !== undefined) return { base, pom: pom }
    }
    if (failures.length > 0) throw failures[0]
    return undefined
  }

  return {
    async pom(coordinates, repositories = none) {
      return (await findPom(coordinates, repositories))?.pom
    },

    async module(coordinates, repositories = none) {
      const pom = await findPom(coordinates, repositories)
      if (pom === undefined) return undefined
      const question = { form: 'gradle-module-2', reduce: parseModuleMetadata, accept: JSON_DOCUMENT }
      return fileIn<ModuleMetadata>(pom.base, coordinates, { ...question, ending: 'module' })
    },

    async versions(artifact, repositories = none) {
      const question = { form: 'maven-metadata-1', reduce: parseArtifactMetadata }
      const path = `${folderOf(artifact)}/maven-metadata.xml`
      const answers = await Promise.all(
        basesOf(repositories).map((base) => orFailure(ask<MavenVersions>(base, question, path))),
      )
      const lists = answers.filter((answer) => answer !== undefined && !(answer instanceof RegistryUnreachable))
      const failure = answers.find((answer) => answer instanceof RegistryUnreachable)
      if (lists.length === 0 && failure !== undefined) throw failure
      return lists.length === 0 ? undefined : merge(lists as MavenVersions[])
    },
  }
}

type Asking<T> = Pick<Question<T>, 'form' | 'reduce'> & Partial<Pick<Question<T>, 'accept'>>

const none: MavenRepositories = { requested: [], declared: [] }

/** Returns a failure as a value, so that the next repository is asked. */
async function orFailure<T>(answer: Promise<T>): Promise<T | RegistryUnreachable> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RegistryUnreachable) return error
    throw error
  }
}

function folderOf({ group, artifact }: MavenArtifact): string {
  return [...group.split('.'), artifact].map(encodeURIComponent).join('/')
}

function merge(answers: readonly MavenVersions[]): MavenVersions {
  const latest = answers.find((answer) => answer.latest !== undefined)?.latest
  const release = answers.find((answer) => answer.release !== undefined)?.release
  return {
    versions: [...new Set(answers.flatMap(({ versions }) => versions))],
    ...(latest === undefined ? {} : { latest }),
    ...(release === undefined ? {} : { release }),
  }
}
