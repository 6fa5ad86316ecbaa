import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Reads the page of the built console; undefined if the console is not built. Read on each request, so that a new build
 * takes effect at once.
 */
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

/** Returns true for the compressed form of a file, which is served only under the name of the original. */
export function isCompressed(file: string): boolean {
  return /\.(br|gz)$/.test(file)
}

export function isHashed(file: string): boolean {
  return file.startsWith('assets/')
}
