import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const known = new Map<string, readonly string[]>()

/** Returns true if a module of this project loads another one, directly or not; types are not loaded. */
export function isLoadedBy(target: string, from: string): boolean {
  const reached = new Set([resolve(from)])
  for (const file of reached) {
    if (file === resolve(target)) return true
    for (const imported of importsOf(file)) reached.add(imported)
  }
  return false
}

function importsOf(file: string): readonly string[] {
  const found = known.get(file) ?? readImports(file)
  known.set(file, found)
  return found
}

function readImports(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const names = [...text.matchAll(/^(?:import|export|\}).*?(?:from )?'([^']+)'|import\('([^']+)'\)/gm)]
  return names
    .filter(([statement]) => !statement.startsWith('import type'))
    .flatMap(([, fixed, dynamic]) => resolveOwn(file, fixed ?? dynamic!) ?? [])
}

/** Follows the `imports` of package.json; undefined for packages. */
function resolveOwn(importer: string, name: string): string | undefined {
  const path = pathOf(importer, name)
  return path !== undefined && /\.tsx?$/.test(path) && existsSync(path) ? path : undefined
}

function pathOf(importer: string, name: string): string | undefined {
  if (name.startsWith('#test/')) return resolve(name.replace('#test/', 'test/support/'))
  if (name.startsWith('#')) return resolve(name.replace('#', 'src/'))
  return name.startsWith('.') ? resolve(dirname(importer), name) : undefined
}
