import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { isWanted } from '#analysis/discovery/projects-in-tree/find-projects.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { openArchiveSource } from '#foundation/archives/archive-source.ts'
import { ARCHIVE_FORMS, formOfStart } from '#foundation/archives/form.ts'
import { createBodyValidator } from '#foundation/http/bodies/body-validator.ts'
import { asUnparsed, parseJson, type UnparsedJson } from '#foundation/http/bodies/unparsed-json.ts'
import { validationProblem } from '#foundation/http/faults.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { Problem } from '#foundation/problem.ts'
import { isCleanPath } from '#foundation/repositories/entry-path.ts'
import { openGivenFiles } from '#foundation/repositories/given-files.ts'
import type { RepositoryBounds, RepositorySource } from '#foundation/repositories/repository-source.ts'
import type { Workspaces } from '#foundation/repositories/workspaces.ts'

const MULTIPART = 'multipart/form-data'
/** Accepted media types of archives. Archives are recognized by content, whatever the content-type. */
const ARCHIVES = [
  'application/gzip',
  'application/x-gzip',
  'application/x-tar',
  'application/zip',
  'application/octet-stream',
]

/** Media types of several files, besides JSON. */
export const treeTypes = [MULTIPART, ...ARCHIVES]

/** Maximum number of files in a JSON or multipart body; archives have the limits of imports. */
const MAX_FILES = 2_000
/** Limit of JSON, which the main thread parses: a few milliseconds per MiB. */
const MAX_JSON_BYTES = 4 * 1024 * 1024
const START_BYTES = 512

const TreeFiles = Type.Array(
  Type.Object({
    path: Type.String({ minLength: 1, maxLength: 1024, description: 'Relative path with `/` as its separator' }),
    contents: Type.String({ description: 'The text of the file, in the encoding named' }),
  }),
  { minItems: 1, maxItems: MAX_FILES },
)
type TreeFiles = Static<typeof TreeFiles>

/** Body of `POST /test/files` in JSON. */
export const TreeRequest = Type.Object({
  encoding: Type.Optional(
    Type.Union([Type.Literal('plain'), Type.Literal('base64')], {
      default: 'plain',
      description: 'Encoding of the contents',
    }),
  ),
  files: TreeFiles,
})

nameSchemas({ TreeRequest })

const validate = createBodyValidator(TreeFiles)

interface Sent {
  readonly body: unknown
  readonly contentType: string
}

/** Opens the files of a body: JSON, a form with one part per file, or an archive. Throws `Problem`. */
export async function openSentTree(
  { body, contentType }: Sent,
  { bounds, workspaces }: { bounds: RepositoryBounds; workspaces: Workspaces },
): Promise<RepositorySource> {
  if (!(body instanceof Uint8Array)) return openFiles(readJsonFiles(body as Static<typeof TreeRequest>), bounds)
  if (contentType.toLowerCase().startsWith(MULTIPART)) return openFiles(await readForm(body, contentType), bounds)
  return openArchive(body, { bounds, workspaces })
}

function openFiles(files: ReadonlyMap<string, Buffer>, bounds: RepositoryBounds): RepositorySource {
  return openGivenFiles(
    [...files].map(([path, content]) => ({ path, content })),
    bounds,
  )
}

function readJsonFiles({ files, encoding }: Static<typeof TreeRequest>): Map<string, Buffer> {
  const unparsed: UnparsedJson = asUnparsed(files)
  if (unparsed.bytes.length > MAX_JSON_BYTES) {
    throw new Problem(
      'too-large',
      `The JSON body may have at most ${MAX_JSON_BYTES} bytes. Send a gzipped tar archive instead`,
      {
        source: { pointer: '/files' },
      },
    )
  }
  const parsed = parseJson(unparsed.bytes, {
    placeOf: (position) => position + unparsed.offset,
    values: unparsed.values,
  })
  if (!validate(parsed)) {
    const errors = validate.errors.map((error) => ({ ...error, instancePath: `/files${error.instancePath}` }))
    throw validationProblem(errors, 'body')
  }
  const all = new Map<string, Buffer>()
  for (const [at, { path, contents }] of (parsed as TreeFiles).entries()) {
    add(all, {
      path,
      content: Buffer.from(contents, encoding === 'base64' ? 'base64' : 'utf8'),
      at: `/files/${at}/path`,
    })
  }
  return all
}

/** Reads a form whose parts are named by the paths of their files: `curl -F app/package.json=@app/package.json`. */
async function readForm(body: Uint8Array, contentType: string): Promise<Map<string, Buffer>> {
  const all = new Map<string, Buffer>()
  for (const [path, part] of await parseForm(body, contentType)) {
    if (all.size === MAX_FILES)
      throw new Problem('too-large', `A form may have at most ${MAX_FILES} files. Send an archive instead`)
    const at = `/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (typeof part !== 'string' && !isWanted(path) && isWanted(part.name)) {
      const reason = `The part "${shorten(path)}" holds ${shorten(part.name)}. Name each part by the path of its file, as with curl -F ${shorten(part.name)}=@${shorten(part.name)}`
      throw new Problem('invalid-request', reason, { source: { pointer: at } })
    }
    const content = typeof part === 'string' ? Buffer.from(part) : Buffer.from(await part.arrayBuffer())
    add(all, { path, content, at })
  }
  if (all.size === 0)
    throw new Problem('invalid-request', 'The form has no parts. Add one part per file, named by the path of the file')
  return all
}

async function parseForm(body: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': contentType } }).formData()
  } catch (cause) {
    throw new Problem(
      'body-unreadable',
      'The body is not valid multipart/form-data with the boundary of its content-type',
      {
        cause,
      },
    )
  }
}

function add(all: Map<string, Buffer>, { path, content, at }: { path: string; content: Buffer; at: string }): void {
  const clean = path.replace(/^(?:\.\/)+/, '')
  const refuse = (reason: string) => new Problem('invalid-request', reason, { source: { pointer: at } })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (!isCleanPath(clean) || /[\u0000-\u001f\u007f\\]/.test(clean)) {
    throw refuse('A path must be relative, with / as its separator and without . and ..')
  }
  if (all.has(clean)) throw refuse('Two files have this path')
  all.set(clean, content)
}

async function openArchive(
  body: Uint8Array,
  { bounds, workspaces }: { bounds: RepositoryBounds; workspaces: Workspaces },
): Promise<RepositorySource> {
  if (formOfStart(Buffer.from(body.subarray(0, START_BYTES))) === undefined) {
    throw new Problem('body-unreadable', `The body is not ${ARCHIVE_FORMS}`)
  }
  const folder = await workspaces.make()
  const onClose = () => workspaces.remove(folder)
  try {
    const path = join(folder, 'sent')
    await writeFile(path, body, { mode: 0o600 })
    return await openArchiveSource({ path, digest: hash('sha256', body), sizeBytes: body.length, bounds, onClose })
  } catch (error) {
    await onClose()
    throw error
  }
}
