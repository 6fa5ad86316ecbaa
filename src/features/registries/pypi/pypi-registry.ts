import { createHash } from 'node:crypto'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { isProjectName, toProjectName } from '#analysis/ecosystems/pip/project-name.ts'
import type { PyPiFileName, PyPiIndex, PyPiMetadata, PyPiReader } from '#analysis/registries/pypi.ts'
import { OutgoingFailed } from '#foundation/outgoing/outgoing-errors.ts'
import { getDefaultRegistryUrl } from '../default-registries.ts'
import { toRepository } from '../maven/repository.ts'
import {
  createRegistryClient,
  type Place,
  type Question,
  type RegistryClient,
  type RegistryParts,
} from '../registry-client.ts'
import { parseCoreMetadata } from './core-metadata.ts'
import { type ListedFile, parseProjectPage } from './project-page.ts'
import { isReadable, parseSdist } from './sdist.ts'
import { parseVersionDocument } from './version-document.ts'
import { readWheelEnd, readWheelEntry, type WheelPart } from './wheel-end.ts'
import type { ZipEntry } from './zip-files.ts'

export interface PyPiRegistrySettings {
  /** Base URL, with `/simple` at its end or without; default: the public index. */
  readonly url?: string | undefined
  /** Indexes that the files of a project may name, by the base URLs of their simple APIs. */
  readonly furtherIndexes?: readonly string[] | undefined
  readonly maxAgeMs: number
  readonly maxCacheBytes: number
}

interface Index {
  /** Of the simple API, without a slash at its end. */
  readonly simple: string
  readonly client: RegistryClient
  /** Where versions are described in JSON; undefined when no such place is known. */
  readonly documents: string | undefined
}

/** Where a file lies, and the index that lists it. */
interface Source extends ListedFile {
  readonly index: Index
}

/** Files never change, so that what they say is kept this many times longer: 30 days for an hour. */
const FILE_AGES = 720
/** Projects of which the addresses of files are at hand. */
const MAX_PROJECTS = 300
const PAGE = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1'
const END_BYTES = 64 * 1024

export function createPyPiRegistry(parts: RegistryParts, settings: PyPiRegistrySettings): PyPiReader {
  const { url = getDefaultRegistryUrl('pypi'), furtherIndexes = [], ...bounds } = settings
  const standard = toIndex(url)
  const publicIndex = toSimple(getDefaultRegistryUrl('pypi'))
  const further = new Map(furtherIndexes.map(toIndex).map((index) => [index.simple, index]))
  /** Files lie elsewhere than indexes, and are asked for without what opens those. */
  const files = createRegistryClient(parts, bounds)
  const sources = new Map<string, ReadonlyMap<string, Source>>()

  function toIndex(base: string): Index {
    const { url: plain, authorization } = toRepository(base, { mayHoldCredentials: true })
    const simple = toSimple(plain)
    const root = simple.slice(0, -'/simple'.length)
    const documents = simple.endsWith('/simple') ? `${root}/pypi` : undefined
    return { simple, documents, client: createRegistryClient(parts, { ...bounds, authorization }) }
  }

  function indexesOf(named: readonly PyPiIndex[]): Index[] {
    return named.flatMap((each) => (each === null ? [standard] : (further.get(each) ?? [])))
  }

  async function list(project: string, index: Index): Promise<Source[] | undefined> {
    const page = `${index.simple}/${project}/`
    const reduce = (document: Buffer) => parseProjectPage(document, { project, url: page })
    const { value } = await index.client.ask({ url: page, accept: PAGE, form: 'pypi-project-1', reduce })
    return value?.files.map((file) => ({ ...file, index }))
  }

  async function listAll(
    project: string,
    named: readonly PyPiIndex[],
  ): Promise<ReadonlyMap<string, Source> | undefined> {
    const answers = await Promise.all(indexesOf(named).map((index) => list(project, index)))
    const found = answers.filter((answer) => answer !== undefined)
    if (found.length === 0) return undefined
    const byName = new Map<string, Source>()
    for (const source of found.flat()) if (!byName.has(source.filename)) byName.set(source.filename, source)
    remember(`${project} ${named.join(' ')}`, byName)
    return byName
  }

  function remember(key: string, byName: ReadonlyMap<string, Source>): void {
    sources.delete(key)
    sources.set(key, byName)
    const [oldest] = sources.keys()
    if (sources.size > MAX_PROJECTS && oldest !== undefined) sources.delete(oldest)
  }

  /** The first way that leads somewhere; when none does, a way that failed tells that nothing is known. */
  async function metadataOf(file: Source, what: string): Promise<PyPiMetadata | undefined> {
    let best: PyPiMetadata | undefined
    let failure: RegistryUnreachable | undefined
    for (const way of waysTo(file, what)) {
      try {
        best = (await way()) ?? best
      } catch (error) {
        if (!(error instanceof RegistryUnreachable)) throw error
        if (!isTooLarge(error)) failure ??= error
      }
      if (best?.requiresDist !== undefined) return best
    }
    if (failure !== undefined) throw failure
    return best
  }

  function waysTo(file: Source, what: string): (() => Promise<PyPiMetadata | undefined>)[] {
    const beside = file.metadata === undefined ? [] : [() => metadataBeside(file, what)]
    if (/\.whl$/i.test(file.filename)) {
      return [...beside, () => metadataInWheel(file, what), () => metadataInDocument(file, what, 'wheel')]
    }
    const inside = isReadable(file.filename) ? [() => metadataInSdist(file, what)] : []
    return [...beside, () => metadataInDocument(file, what, 'source'), ...inside]
  }

  /** PEP 658. A digest that does not fit is a lie of somebody on the way. */
  async function metadataBeside(file: Source, what: string): Promise<PyPiMetadata | undefined> {
    const { url, metadata, filename } = file
    const reduce = (document: Buffer): PyPiMetadata => {
      const digest = createHash('sha256').update(document).digest('hex')
      if (typeof metadata === 'string' && metadata !== digest) {
        throw new RegistryUnreachable(`the metadata of ${what} is not what the index promised`)
      }
      const { isStatic, requiresDist, ...core } = parseCoreMetadata(document.toString('utf8'), what)
      return isStatic || /\.whl$/i.test(filename) ? { ...core, requiresDist } : core
    }
    return askFile(file, { url: `${url}.metadata`, form: `pypi-metadata-1 ${metadata}`, reduce })
  }

  /** PEP 427: a wheel's metadata lies near its end, which is asked for first; undefined for one that has none. */
  async function metadataInWheel(file: Source, what: string): Promise<PyPiMetadata | undefined> {
    let range = `bytes=-${END_BYTES}`
    let entry: ZipEntry | undefined
    for (let attempt = 0; attempt < 3; attempt++) {
      const wanted = entry
      const reduce = (bytes: Buffer, place: Place): PyPiMetadata | Exclude<WheelPart, { text: string }> => {
        const part =
          wanted === undefined ? readWheelEnd({ bytes, ...place }) : readWheelEntry({ bytes, ...place }, wanted)
        if (!('text' in part)) return part
        const { isStatic: _, ...core } = parseCoreMetadata(part.text, what)
        return core
      }
      const found = await askFile(file, { url: file.url, range, form: 'pypi-wheel-1', reduce })
      if (found === undefined || 'fault' in found) return undefined
      if (!('from' in found)) return found
      range = `bytes=${found.from}-${found.to - 1}`
      entry = found.entry
    }
    return undefined
  }

  /** Indexes other than the public one rarely have such documents; what they answer instead is as good as none. */
  async function metadataInDocument(
    { version, index: { documents, client } }: Source,
    what: string,
    kind: 'wheel' | 'source',
  ): Promise<PyPiMetadata | undefined> {
    if (documents === undefined) return undefined
    const [project = ''] = what.split('@', 1)
    const described = await client.ask({
      url: `${documents}/${project}/${encodeURIComponent(version)}/json`,
      accept: 'application/json',
      form: 'pypi-version-1',
      reduce: (document) => parseVersionDocument(document, project),
    })
    if (described.value === undefined || kind === 'source') return described.value
    return { requiresDist: [], ...described.value }
  }

  function metadataInSdist(file: Source, what: string): Promise<PyPiMetadata | undefined> {
    return askFile(file, {
      url: file.url,
      form: 'pypi-sdist-2',
      reduce: (document) => parseSdist(document, file.filename, what),
    })
  }

  /** Only where a file lies beside its index it is asked for with what opens that. */
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
      return file === undefined ? undefined : metadataOf(file, `${project}@${version}`)
    },

    async permitted(urls) {
      return urls.map((each) => {
        const plain = plainUrl(each)
        if (plain === undefined) return undefined
        if (plain === standard.simple || plain === publicIndex) return null
        return further.has(plain) ? plain : undefined
      })
    },
  }
}

/** A source distribution that is larger than what is read tells nothing. */
function isTooLarge({ cause }: RegistryUnreachable): boolean {
  return cause instanceof OutgoingFailed && cause.code === 'too-large'
}

/** An index is named with `/simple` at its end, or without: the public one and those like it. */
function toSimple(base: string): string {
  const plain = base.replace(/\/+$/, '')
  return new URL(plain).pathname === '/' ? `${plain}/simple` : plain
}

/** Without user, password, query and a slash at its end. */
function plainUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  return toSimple(url.href)
}
