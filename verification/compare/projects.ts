import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Unreadable } from '../../src/analysis/documents/unreadable.ts'
import type { Ecosystem, Manifest, Reading, ReadOptions } from '../../src/analysis/ecosystems/ecosystem.ts'
import { noGoProxy } from '../../test/support/registries/go-content.ts'
import { registriesOf } from '../../test/support/registries/registries.ts'
import type { Compared } from './comparison.ts'

export const options: ReadOptions = { includeDev: true, repositories: [], limits: { maxNodes: 50_000 } }

export function projectsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

/** Compares the projects of a folder one after another; leaves out those that have nothing to compare. */
export async function compareEach(
  root: string,
  compare: (folder: string, project: string) => Promise<Compared | undefined>,
): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const project of projectsIn(root)) {
    const one = await compare(path.join(root, project), project)
    if (one !== undefined) compared.push(one)
  }
  return compared
}

/** Files of those names, nearest to the folder first: the first one leads. */
export function filesOf(folder: string, names: RegExp): string[] {
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => names.test(path.basename(file)) && !file.includes('node_modules/'))
  return files.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
}

export function readText(folder: string, file: string): string {
  return readFileSync(path.join(folder, file), 'utf8')
}

/** Reads files as a manifest; the first one leads. */
export function readManifest(folder: string, files: readonly string[]): Manifest {
  const [target = '', ...additional] = files.map((file) => readText(folder, file))
  return { target, additional }
}

/** Works in a copy of a folder, in which tools may write even if the corpus is read-only. */
export async function inCopy<T>(folder: string, work: (copy: string) => T | Promise<T>): Promise<T> {
  const copy = mkdtempSync(path.join(tmpdir(), 'compare-'))
  try {
    cpSync(folder, copy, { recursive: true, filter: (file) => path.basename(file) !== 'node_modules' })
    for (const file of ['', ...readdirSync(copy, { recursive: true })]) chmodSync(path.join(copy, String(file)), 0o755)
    return await work(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

export function readLocked(ecosystem: Ecosystem, manifest: Manifest): Promise<Reading> {
  return ecosystem.read(manifest, registriesOf({ go: noGoProxy }), options)
}

/** Returns the text of the refusal if we refuse a manifest. */
export function orRefusal(reading: Promise<Reading>): Promise<Reading | string> {
  return reading.catch((error: unknown) => (error instanceof Unreadable ? error.message : Promise.reject(error)))
}

export function packagesOf({ graph }: Reading): Set<string> {
  return new Set(graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`))
}

/** Packages that have a registry; other tools write versions of Go without the leading letter. */
export function registryPackagesOf({ graph }: Reading): Set<string> {
  const nodes = graph.nodes.slice(1).filter(({ registry }) => registry !== 'none')
  return new Set(nodes.map((node) => labelOf(node.package)))
}

export function labelOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version.replace(/^v(?=\d)/, '')}`
}

/** Every edge as `package → package`. */
export function edgesOf({ graph }: Reading): Set<string> {
  const labels = graph.nodes.map(({ package: { name, version } }, index) =>
    index === 0 ? 'project' : `${name}@${version}`,
  )
  return new Set(graph.nodes.flatMap(({ edges }, from) => edges.map(({ to }) => `${labels[from]} → ${labels[to]}`)))
}
