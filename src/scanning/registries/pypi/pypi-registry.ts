import { isProjectName, toProjectName } from '#analysis/ecosystems/python/packaging/project-name.ts'
import type { PyPiFileName, PyPiIndex, PyPiReader } from '#analysis/registries/pypi.ts'
import { getDefaultRegistryUrl } from '../default-registries.ts'
import { toRepository } from '../maven/repository.ts'
import { createRegistryClient, type Question, type RegistryParts } from '../registry-client.ts'
import { type Index, readFileMetadata, type Source } from './file-metadata.ts'
import { parseProjectPage } from './project-page.ts'

export interface PyPiRegistrySettings {
  /** Base URL, with or without `/simple` at its end; defaults to the public index. */
  readonly url?: string | undefined
  /** Base URLs of the simple APIs of further indexes that project files may name. */
  readonly furtherIndexes?: readonly string[] | undefined
  readonly maxAgeMs: number
}

/** Factor for the age of files, which never change: 30 days if other answers are used for one hour. */
const FILE_AGES = 720
/** Limit on the projects whose file URLs are kept in memory. */
const MAX_PROJECTS = 300
const PAGE = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1'

export function createPyPiRegistry(parts: RegistryParts, settings: PyPiRegistrySettings): PyPiReader {
  const { url = getDefaultRegistryUrl('pypi'), furtherIndexes = [], ...bounds } = settings
  const standard = toIndex(url)
  const publicIndex = toSimple(getDefaultRegistryUrl('pypi'))
  const further = new Map(furtherIndexes.map(toIndex).map((index) => [index.simple, index]))
  /** Files are usually on another host than their index, and are requested without the index's credentials. */
  const files = createRegistryClient(parts, bounds)
  const sources = new Map<string, ReadonlyMap<string, Source>>()

  function toIndex(base: string): Index {
    const { url: plain, authorization } = toRepository(base, { mayHoldCredentials: true })
    const simple = toSimple(plain)
    const root = simple.slice(0, -'/simple'.length)
    const documents = simple.endsWith('/simple') ? `${root}/pypi` : undefined
    return { simple, documents, client: createRegistryClient(parts, { ...bounds, authorization }) }
  }

  function indexesOf(indexes: readonly PyPiIndex[]): Index[] {
    return indexes.flatMap((index) => (index === null ? [standard] : (further.get(index) ?? [])))
  }

  async function list(project: string, index: Index): Promise<Source[] | undefined> {
    const page = `${index.simple}/${project}/`
    const reduce = (document: Buffer) => parseProjectPage(document, { project, url: page })
    const { value } = await index.client.ask({ url: page, accept: PAGE, form: 'pypi-project-1', reduce })
    return value?.files.map((file) => ({ ...file, index }))
  }

  async function listAll(
    project: string,
    indexes: readonly PyPiIndex[],
  ): Promise<ReadonlyMap<string, Source> | undefined> {
    const answers = await Promise.all(indexesOf(indexes).map((index) => list(project, index)))
    const lists = answers.filter((answer) => answer !== undefined)
    if (lists.length === 0) return undefined
    const byName = new Map<string, Source>()
    for (const source of lists.flat()) if (!byName.has(source.filename)) byName.set(source.filename, source)
    remember(`${project} ${indexes.join(' ')}`, byName)
    return byName
  }

  function remember(key: string, byName: ReadonlyMap<string, Source>): void {
    sources.delete(key)
    sources.set(key, byName)
    const [oldest] = sources.keys()
    if (sources.size > MAX_PROJECTS && oldest !== undefined) sources.delete(oldest)
  }

  /** Requests a file, with the credentials of its index only if the file is on the same origin. */
  async function askFile<T>({ index }: Source, question: Omit<Question<T>, 'accept'>): Promise<T | undefined> {
    const isBeside = new URL(question.url).origin === new URL(index.simple).origin
    const maxAgeMs = settings.maxAgeMs * FILE_AGES
    return (await (isBeside ? index.client : files).ask<T>({ ...question, accept: '*/*', maxAgeMs })).value
  }

  return {
    async project(name, indexes = [null]) {
      const project = toProjectName(name)
      if (!isProjectName(name)) return undefined
      const listed = await listAll(project, indexes)
      if (listed === undefined) return undefined
      return {
        files: [...listed.values()].map(({ filename, version, requiresPython, yanked, metadata }) => ({
          filename,
          version,
          yanked,
          hasMetadata: metadata !== undefined,
          ...(requiresPython === undefined ? {} : { requiresPython }),
        })),
      }
    },

    async metadata({ project: name, version, filename }: PyPiFileName, indexes = [null]) {
      const project = toProjectName(name)
      if (!isProjectName(name)) return undefined
      const listed = sources.get(`${project} ${indexes.join(' ')}`) ?? (await listAll(project, indexes))
      const file = listed?.get(filename)
      return file === undefined ? undefined : readFileMetadata(askFile, file, `${project}@${version}`)
    },

    async permitted(urls) {
      return urls.map((url) => {
        const plain = plainUrl(url)
        if (plain === undefined) return undefined
        if (plain === standard.simple || plain === publicIndex) return null
        return further.has(plain) ? plain : undefined
      })
    },
  }
}

/** Returns the base URL of the simple API; like the public index, an index may be configured without `/simple`. */
function toSimple(base: string): string {
  const plain = base.replace(/\/+$/, '')
  return new URL(plain).pathname === '/' ? `${plain}/simple` : plain
}

/** Returns the URL without user, password, query and final slash. */
function plainUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  return toSimple(url.href)
}
