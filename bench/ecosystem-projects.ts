import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Ecosystem, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { corpusFolder } from '../tools/corpus/folder.ts'

/** A real project of one ecosystem, as it would be sent. */
export interface BenchProject {
  readonly ecosystem: string
  readonly name: string
  readonly folder: string
  readonly target: string
  readonly additional: readonly string[]
  readonly bytes: number
}

export const readOptions: ReadOptions = { includeDev: true, repositories: [], limits: { maxNodes: 50_000 } }

const manifests = path.join(corpusFolder, 'manifests')

/** Files sent beside the leading one. */
const sent: Readonly<Record<string, RegExp>> = {
  npm: /^package(?:-lock)?\.json$/,
  yarn: /^(?:package\.json|yarn\.lock)$/,
  pnpm: /^(?:package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml)$/,
  bun: /^(?:package\.json|bun\.lock)$/,
  rubygems: /^Gemfile(?:\.lock)?$/,
  gomodules: /^go\.(?:mod|sum)$|^modules\.txt$/,
  govendor: /^vendor\.json$/,
  pip: /\.(?:txt|in)$/,
  poetry: /^(?:poetry\.lock|pyproject\.toml)$/,
  uv: /^(?:uv\.lock|pyproject\.toml)$/,
  pipenv: /^Pipfile(?:\.lock)?$/,
  pyproject: /^(?:pyproject|pylock)\.toml$/,
  sbom: /^bom\.(?:json|xml)$|\.(?:cdx|spdx)(?:\.json|\.xml)?$/,
  maven: /^pom\.xml$/,
  gradle: /\.gradle(?:\.kts)?$|\.versions\.toml$|^gradle\.properties$/,
  sbt: /\.(?:sbt|scala)$|^build\.properties$/,
}

/** The smallest, the middle and the largest real project; none without a corpus. */
export function threeProjects(ecosystem: Ecosystem): BenchProject[] {
  const root = path.join(manifests, ecosystem.id)
  const names = sent[ecosystem.id]
  if (!existsSync(root) || names === undefined) return []
  const all = readdirSync(root)
    .flatMap((name) => readProject(ecosystem, path.join(root, name), names) ?? [])
    .sort((a, b) => a.bytes - b.bytes)
  return [...new Set([0, Math.floor(all.length / 2), all.length - 1])].flatMap((at) => all[at] ?? [])
}

export function findProject(ecosystem: Ecosystem, name: string): BenchProject {
  const found = readProject(ecosystem, path.join(manifests, ecosystem.id, name), sent[ecosystem.id]!)
  if (found === undefined) throw new Error(`${name} is no project of ${ecosystem.id}`)
  return found
}

function readProject({ id, manifestName }: Ecosystem, folder: string, names: RegExp): BenchProject | undefined {
  const leads = (file: string) => Number(!manifestName.test(path.basename(file)))
  const depth = (file: string) => file.split('/').length
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => names.test(path.basename(file)))
    .sort((a, b) => leads(a) - leads(b) || depth(a) - depth(b) || (a < b ? -1 : 1))
  const [target, ...others] = files.map((file) => readFileSync(path.join(folder, file), 'utf8'))
  if (target === undefined || leads(files[0]!) === 1) return undefined
  // A request with an empty file is refused; repositories have some.
  const additional = others.filter((text) => text.trim() !== '')
  const bytes = [target, ...additional].reduce((sum, text) => sum + text.length, 0)
  return { ecosystem: id, name: path.basename(folder), folder, target, additional, bytes }
}
