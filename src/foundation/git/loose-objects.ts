import { hash } from 'node:crypto'
import { inflateSync } from 'node:zlib'

export interface GitObject {
  readonly id: string
  readonly type: 'commit' | 'tree' | 'blob' | 'tag'
  readonly content: Buffer
}

const MAX_CONTENT_BYTES = 1024 * 1024
/** A loose object begins with its type and the size of its content (gitformat-loose(5)). */
const HEADER = /^(commit|tree|blob|tag) (0|[1-9]\d*)$/
const MAX_HEADER_BYTES = 32

/** Reads a loose object. Returns undefined if the file is damaged or another object, or if its content is large. */
export function readLooseObject(id: string, file: Buffer): GitObject | undefined {
  const inflated = inflate(file)
  const end = inflated?.subarray(0, MAX_HEADER_BYTES).indexOf(0) ?? -1
  if (inflated === undefined || end === -1) return undefined
  const [, type, size] = HEADER.exec(inflated.toString('latin1', 0, end)) ?? []
  const content = inflated.subarray(end + 1)
  if (type === undefined || Number(size) !== content.length) return undefined
  if (hash(algorithmOf(id.length / 2), inflated) !== id) return undefined
  return { id, type: type as GitObject['type'], content }
}

function inflate(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_CONTENT_BYTES + MAX_HEADER_BYTES })
  } catch {
    return undefined
  }
}

/** Returns the algorithm whose digests have this length. */
export function algorithmOf(idBytes: number): 'sha1' | 'sha256' {
  return idBytes === 20 ? 'sha1' : 'sha256'
}

const COMMIT_START = /^tree ([0-9a-f]+)\n/
const COMMIT_START_BYTES = 'tree \n'.length + 64
const TREE_MODE = '40000 '

/** Returns the ids of the trees that a commit or a tree names. */
export function findTrees({ id, type, content }: GitObject): string[] {
  if (type === 'commit') return COMMIT_START.exec(content.toString('latin1', 0, COMMIT_START_BYTES))?.slice(1) ?? []
  const trees: string[] = []
  // Entries of a tree: `<mode> <name>\0<id>`, with the id in bytes.
  for (let at = 0; type === 'tree' && at < content.length; ) {
    const start = content.indexOf(0, at) + 1
    if (start === 0) break
    const next = start + id.length / 2
    if (content.toString('latin1', at, at + TREE_MODE.length) === TREE_MODE)
      trees.push(content.toString('hex', start, next))
    at = next
  }
  return trees
}
