import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The page of the built console; undefined when it was not built. Read on each request, so that a build shows at once. */
export async function findPage(dir: string): Promise<string | undefined> {
  try {
    return await readFile(join(dir, 'index.html'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The built file that a path below `/console/` names, or undefined when the path is one of the console's own URLs. */
export function builtFile(path: string): string | undefined {
  return /^(assets\/[\w.-]+|[\w-]+\.svg)$/.test(path) ? path : undefined
}

/** A compressed form of a file is an answer for the file's own name; it has none of its own. */
export function isCompressed(file: string): boolean {
  return /\.(br|gz)$/.test(file)
}

export function isHashed(file: string): boolean {
  return file.startsWith('assets/')
}
