import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Ecosystem, Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { noGoProxy } from '#test/registries/go-content.ts'
import { registriesOf } from '#test/registries/registries.ts'

export const options: ReadOptions = { includeDev: true, repositories: [], limits: { maxNodes: 50_000 } }

export function projectsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

/** Files of those names, nearest to the folder first: the first one leads. */
export function filesOf(folder: string, names: RegExp): string[] {
  const found = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => names.test(path.basename(file)) && !file.includes('node_modules/'))
  return found.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
}

export function readText(folder: string, file: string): string {
  return readFileSync(path.join(folder, file), 'utf8')
}

export function readLocked(ecosystem: Ecosystem, manifest: Manifest): Promise<Reading> {
  return ecosystem.read(manifest, registriesOf({ go: noGoProxy }), options)
}

export function packagesOf({ graph }: Reading): Set<string> {
  return new Set(graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`))
}

/** Every edge as `package → package`. */
export function edgesOf({ graph }: Reading): Set<string> {
  const labels = graph.nodes.map(({ package: { name, version } }, index) =>
    index === 0 ? 'project' : `${name}@${version}`,
  )
  return new Set(graph.nodes.flatMap(({ edges }, from) => edges.map(({ to }) => `${labels[from]} → ${labels[to]}`)))
}
