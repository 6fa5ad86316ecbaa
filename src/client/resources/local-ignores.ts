import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { ClientFailure, toWriteFailure } from '../failure.ts'

export interface LocalIgnore {
  readonly issueId: string
  /** A dependency path, or * for all. */
  readonly path: string
  readonly rule: { readonly reason: string; readonly expires?: string; readonly created: string }
}

const FILE = '.snyk'
const NEW_FILE = 'version: v1.25.0\nignore: {}\n'
const MAX_BYTES = 10 * 1024 * 1024

/**
 * Adds an ignore to the policy file of a folder, or replaces the one of the same path. The rest of the file stays as it
 * is. Returns the path of the file. Throws `ClientFailure` for files that are no policy.
 */
export async function writeLocalIgnore(folder: string, ignore: LocalIgnore): Promise<string> {
  const file = join(folder, FILE)
  const text = await readPolicy(file)
  const document = parseDocument(text.trim() === '' ? NEW_FILE : text)
  if (document.errors.length > 0 || !isMap(document.contents)) throw notPolicy(file)
  if (!document.has('version')) document.set('version', 'v1.25.0')
  addRule(document, ignore, file)
  // The library writes all lists in one style: that of the file.
  const flowCollectionPadding = !/[[{][^\s\]}]/.test(text)
  await replace(file, document.toString({ lineWidth: 0, flowCollectionPadding }))
  return file
}

async function readPolicy(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8')
    if (text.length > MAX_BYTES) throw notPolicy(file)
    return text
  } catch (cause) {
    if (cause instanceof ClientFailure) throw cause
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new ClientFailure(`The file ${file} cannot be read (${code}). Make it readable.`, { cause })
  }
}

function addRule(document: Document, { issueId, path, rule }: LocalIgnore, file: string): void {
  const ignores = document.get('ignore')
  if (ignores === undefined || ignores === null) document.set('ignore', document.createNode({}))
  else if (!isMap(ignores)) throw notPolicy(file)
  const all = document.get('ignore') as YAMLMap
  // `ignore: {}` is written on one line; what is added is readable only on several.
  if (all.items.length === 0) all.flow = false
  const existing = all.get(issueId)
  const entry = document.createNode({ [path]: rule })
  if (existing === undefined || existing === null) all.set(issueId, document.createNode([{ [path]: rule }]))
  else if (!isSeq(existing)) throw notPolicy(file)
  else {
    const at = existing.items.findIndex((item) => isMap(item) && item.has(path))
    if (at === -1) existing.add(entry)
    else existing.set(at, entry)
  }
}

async function replace(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}`
  try {
    await writeFile(partial, text, { flag: 'wx' })
    await rename(partial, file)
  } catch (cause) {
    await rm(partial, { force: true })
    throw toWriteFailure(file, cause, 'Name a folder that this user may change.')
  }
}

function notPolicy(file: string): ClientFailure {
  return new ClientFailure(`${file} is not a policy file: YAML with "version" and "ignore". Correct it, or remove it.`)
}
