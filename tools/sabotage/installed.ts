import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hidden } from './spelling.ts'

/** Looks through every folder of every `node_modules`, links included. */
export async function isInstalled(folder: string, { name, version }: Hidden): Promise<boolean> {
  const packages = globSync(['**/node_modules/*', '**/node_modules/@*/*'], { cwd: folder })
  const found = await Promise.all(packages.map((path) => readPackage(join(folder, path, 'package.json'))))
  return found.some((each) => each.name === name && each.version === version)
}

/** Empty for a folder without package.json: a scope, or `.bin`. */
async function readPackage(path: string): Promise<Partial<Hidden>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Hidden>
  } catch {
    return {}
  }
}
