import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { linksBelow } from '#foundation/http/base-path.ts'
import { type FileAnswer, toFileAnswer } from '#foundation/pages/file-answer.ts'
import { fillServerFacts, type ServerFacts } from './server-facts.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
}

/** Errors of paths that no file can have: a name may be too long, or a folder on the path may be a file. */
const MISSING: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENAMETOOLONG', 'ENOTDIR', 'EISDIR'])

export interface BuiltSite {
  /** Returns the file for a path below `/docs`, or undefined. */
  find(path: string): Promise<FileAnswer | undefined>
}

export interface SiteOptions {
  readonly folder: string
  readonly facts: ServerFacts
  readonly basePath: string
}

/** Reads each file of the generated site at first use, fills in the facts of this server and caches the result. */
export function openBuiltSite({ folder, facts, basePath }: SiteOptions): BuiltSite {
  const files = new Map<string, Promise<FileAnswer>>()

  async function read(file: string): Promise<FileAnswer> {
    const content = await readFile(join(folder, file))
    const type = types[extname(file)] ?? 'application/octet-stream'
    if (!file.endsWith('.html')) return toFileAnswer(type, content)
    return toFileAnswer(type, linksBelow(fillServerFacts(content.toString(), facts), basePath))
  }

  return {
    async find(path) {
      const file = fileOf(path)
      if (file === undefined) return undefined
      const cached = files.get(file) ?? read(file)
      files.set(file, cached)
      try {
        return await cached
      } catch (error) {
        files.delete(file)
        if (MISSING.has((error as NodeJS.ErrnoException).code)) return undefined
        throw error
      }
    },
  }
}

/** Maps a path to a file; a page is the index of its folder. Undefined if no file can have the path. */
function fileOf(path: string): string | undefined {
  if (/^(?:assets\/[\w-]+(?:\.[\w-]+)+|404\.html)$/.test(path)) return path
  return /^(?:[\w-]+(?:\/[\w-]+)*\/?)?$/.test(path) ? join(path, 'index.html') : undefined
}
