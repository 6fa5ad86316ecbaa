import { isObject, type JsonObject } from '#analysis/documents/json-document.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parseFileName } from '#analysis/ecosystems/python/packaging/file-name.ts'
import { toProjectName } from '#analysis/ecosystems/python/packaging/project-name.ts'
import { listAnchors } from './anchors.ts'

/** A file of a project as it is cached. */
export interface ListedFile {
  readonly filename: string
  readonly version: string
  readonly url: string
  readonly requiresPython?: string
  readonly yanked: boolean
  /** The digest of the file's metadata file (PEP 658), or true if the index lists one without a digest. */
  readonly metadata?: true | string
}

export interface ProjectPage {
  readonly files: readonly ListedFile[]
}

const MAX_FILES = 200_000

/**
 * Parses an index's page of a project: JSON (PEP 691) or HTML (PEP 503), with the attributes of PEP 592, 658, 700 and
 * 714. Skips files that pip does not install, and files of other projects.
 */
export function parseProjectPage(document: Buffer, { project, url }: { project: string; url: string }): ProjectPage {
  const text = document.toString('utf8').replace(/^\uFEFF/, '')
  const files = text.trimStart().startsWith('{') ? readJson(text, project) : readHtml(text, project)
  if (files.length > MAX_FILES) throw new RegistryUnreachable(`the index lists too many files of ${project}`)
  return { files: files.flatMap((file) => toListed(file, project, url)) }
}

interface RawFile {
  readonly filename: string | undefined
  readonly url: string
  readonly requiresPython: string | undefined
  readonly yanked: boolean
  readonly metadata: unknown
}

function readJson(text: string, project: string): RawFile[] {
  const document = parse(text)
  const name = document?.['name']
  if (!Array.isArray(document?.['files']))
    throw new RegistryUnreachable(`the index's answer for ${project} lists no files`)
  if (typeof name === 'string' && toProjectName(name) !== project) {
    throw new RegistryUnreachable(`the index's answer is of another project than ${project}`)
  }
  return document['files'].flatMap((file: unknown): RawFile[] => {
    if (!isObject(file) || typeof file['url'] !== 'string') return []
    const { filename, url, yanked } = file
    const requiresPython = file['requires-python']
    return [
      {
        filename: typeof filename === 'string' ? filename : undefined,
        url: url as string,
        requiresPython: typeof requiresPython === 'string' ? requiresPython : undefined,
        yanked: yanked === true || typeof yanked === 'string',
        metadata: file['core-metadata'] ?? file['data-dist-info-metadata'] ?? file['dist-info-metadata'],
      },
    ]
  })
}

function readHtml(text: string, project: string): RawFile[] {
  const files = listAnchors(text, MAX_FILES + 1).flatMap((attributes): RawFile[] => {
    const url = attributes.get('href')
    if (url === undefined) return []
    const digest = attributes.get('data-core-metadata') ?? attributes.get('data-dist-info-metadata')
    return [
      {
        filename: undefined,
        url,
        requiresPython: attributes.get('data-requires-python'),
        yanked: attributes.has('data-yanked'),
        metadata: digest?.startsWith('sha256=') ? { sha256: digest.slice('sha256='.length) } : digest === 'true',
      },
    ]
  })
  if (files.length === 0 && !/Links for|pypi:repository-version/i.test(text.slice(0, 10_000))) {
    throw new RegistryUnreachable(`the index's answer for ${project} is no list of files`)
  }
  return files
}

function toListed(file: RawFile, project: string, page: string): ListedFile[] {
  const url = URL.parse(file.url, page)
  if (url === null || !/^https?:$/.test(url.protocol)) return []
  url.hash = ''
  const filename = file.filename ?? lastPartOf(url)
  const name = filename.length > 500 ? undefined : parseFileName(filename, project)
  if (name === undefined) return []
  const { requiresPython, yanked } = file
  const metadata = isObject(file.metadata) ? digestOf(file.metadata) : file.metadata === true || undefined
  return [
    {
      filename,
      version: name.version,
      url: url.href,
      yanked,
      ...(requiresPython === undefined || requiresPython.length > 1_000 ? {} : { requiresPython }),
      ...(metadata === undefined ? {} : { metadata }),
    },
  ]
}

function digestOf(hashes: Readonly<Record<string, unknown>>): true | string {
  const sha256 = hashes['sha256']
  return typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256) ? sha256.toLowerCase() : true
}

function lastPartOf({ pathname }: URL): string {
  const part = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
