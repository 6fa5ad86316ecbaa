import { createHash } from 'node:crypto'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { PyPiMetadata } from '#analysis/registries/pypi.ts'
import { OutgoingFailed } from '#foundation/outgoing/outgoing-errors.ts'
import type { DocumentRange, Question, RegistryClient } from '../registry-client.ts'
import { parseCoreMetadata } from './core-metadata.ts'
import type { ListedFile } from './project-page.ts'
import { isReadable, parseSdist } from './sdist.ts'
import { parseVersionDocument } from './version-document.ts'
import { readWheelEnd, readWheelEntry, type WheelPart } from './wheel-end.ts'
import type { ZipEntry } from './zip-files.ts'

const END_BYTES = 64 * 1024

export interface Index {
  /** Base URL of the simple API, without a final slash. */
  readonly simple: string
  readonly client: RegistryClient
  /** Base URL of JSON version documents; undefined if unknown. */
  readonly documents: string | undefined
}

/** A file with the index that lists it. */
export interface Source extends ListedFile {
  readonly index: Index
}

/** Requests a document from a file's host; returns undefined if the file does not exist. */
export type AskFile = <T>(file: Source, question: Omit<Question<T>, 'accept'>) => Promise<T | undefined>

/**
 * Reads a file's metadata from the first source that includes dependencies. Throws if none does and one of them could
 * not be reached.
 */
export async function readFileMetadata(
  askFile: AskFile,
  file: Source,
  what: string,
): Promise<PyPiMetadata | undefined> {
  let best: PyPiMetadata | undefined
  let failure: RegistryUnreachable | undefined
  for (const way of waysTo(askFile, file, what)) {
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

function waysTo(askFile: AskFile, file: Source, what: string): (() => Promise<PyPiMetadata | undefined>)[] {
  const beside = file.metadata === undefined ? [] : [() => metadataBeside(askFile, file, what)]
  if (/\.whl$/i.test(file.filename)) {
    return [...beside, () => metadataInWheel(askFile, file, what), () => metadataInDocument(file, what, 'wheel')]
  }
  const inside = isReadable(file.filename) ? [() => metadataInSdist(askFile, file, what)] : []
  return [...beside, () => metadataInDocument(file, what, 'source'), ...inside]
}

/** Reads the metadata file of a distribution (PEP 658). A wrong digest means that it was tampered with. */
async function metadataBeside(askFile: AskFile, file: Source, what: string): Promise<PyPiMetadata | undefined> {
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

/** Reads a wheel's metadata, which is near its end (PEP 427), so that the end is requested first. */
async function metadataInWheel(askFile: AskFile, file: Source, what: string): Promise<PyPiMetadata | undefined> {
  let range = `bytes=-${END_BYTES}`
  let entry: ZipEntry | undefined
  for (let attempt = 0; attempt < 3; attempt++) {
    const target = entry
    const reduce = (bytes: Buffer, place: DocumentRange): PyPiMetadata | Exclude<WheelPart, { text: string }> => {
      const part =
        target === undefined ? readWheelEnd({ bytes, ...place }) : readWheelEntry({ bytes, ...place }, target)
      if (!('text' in part)) return part
      const { isStatic: _, ...core } = parseCoreMetadata(part.text, what)
      return core
    }
    const answer = await askFile(file, { url: file.url, range, form: 'pypi-wheel-2', reduce })
    if (answer === undefined || 'fault' in answer) return undefined
    if (!('from' in answer)) return answer
    range = `bytes=${answer.from}-${answer.to - 1}`
    entry = answer.entry
  }
  return undefined
}

/** Reads metadata from the JSON document of a version, which few indexes other than the public one have. */
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
    form: 'pypi-version-2',
    reduce: (document) => parseVersionDocument(document, project),
  })
  if (described.value === undefined || kind === 'source') return described.value
  return { requiresDist: [], ...described.value }
}

function metadataInSdist(askFile: AskFile, file: Source, what: string): Promise<PyPiMetadata | undefined> {
  return askFile(file, {
    url: file.url,
    form: 'pypi-sdist-3',
    reduce: (document) => parseSdist(document, file.filename, what),
  })
}

/** Returns true for a source distribution above the size limit, which provides no metadata. */
function isTooLarge({ cause }: RegistryUnreachable): boolean {
  return cause instanceof OutgoingFailed && cause.code === 'too-large'
}
