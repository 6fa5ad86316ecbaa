import { placesOf, type TomlPlace, textOfPlace } from '#analysis/documents/toml-values.ts'
import { createLines, type Declaration } from '../declaration.ts'
import type { Manifest } from '../ecosystem.ts'

const LOCK_TABLE = /^\[\[package\]\]|^\[root\]/m
const DEPENDENCIES = /^(?:dev|build)[-_]dependencies$|^dependencies$/

/** Finds the dependencies of Cargo.toml files, and after them the entries of Cargo.lock. */
export function locateCrates({ target, additional }: Manifest): Declaration[] {
  const files = [target, ...additional].map((text, at) => ({ text, file: at === 0 ? ('target' as const) : at - 1 }))
  const isLock = ({ text }: { readonly text: string }) => LOCK_TABLE.test(text)
  return [
    ...files.filter((file) => !isLock(file)).flatMap(({ text, file }) => locateInManifest(text, file)),
    ...files.filter(isLock).flatMap(({ text, file }) => locateInLock(text, file)),
  ]
}

function locateInManifest(text: string, file: Declaration['file']): Declaration[] {
  const lineOf = createLines(text)
  const byDependency = Map.groupBy(placesOf(text), ({ path }) => path.slice(0, depthOf(path)).join('\n'))
  byDependency.delete('')
  return [...byDependency.values()].flatMap((places): Declaration[] => {
    const [first] = places
    const depth = depthOf(first!.path)
    const memberOf = (name: string) => places.find(({ path }) => path[depth] === name && path.length === depth + 1)
    if (memberOf('workspace') !== undefined) return []
    const version = first!.path.length === depth ? first : memberOf('version')
    const range = version && textOfPlace(text, version)
    const renamed = textOf(text, memberOf('package'))
    const name = renamed ?? first!.path[depth - 1]!
    return [{ name, file, fileName: 'Cargo.toml', line: lineOf(first!.at), ...(range !== undefined && { range }) }]
  })
}

/** Returns the number of keys to a dependency, or 0 for other values. */
function depthOf(path: readonly string[]): number {
  const table = path[0] === 'target' ? 2 : path[0] === 'workspace' ? 1 : 0
  return DEPENDENCIES.test(path[table] ?? '') && path.length > table + 1 ? table + 2 : 0
}

function textOf(text: string, place: TomlPlace | undefined): string | undefined {
  return place && textOfPlace(text, place)?.text
}

/** Cargo writes the members of an entry at the margin. */
const ENTRY = /^\[\[package\]\]\r?\nname = "([^"\n]+)"\r?\nversion = "([^"\n]+)"/gm

function locateInLock(text: string, file: Declaration['file']): Declaration[] {
  const lineOf = createLines(text)
  return [...text.matchAll(ENTRY)].map(({ 1: name, 2: version, index }) => ({
    name: name!,
    version: version!,
    file,
    fileName: 'Cargo.lock',
    line: lineOf(index) + 1,
  }))
}
