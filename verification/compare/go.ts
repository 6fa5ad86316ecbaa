import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createModReads } from '../../src/analysis/ecosystems/go/gomodules/mod-reads.ts'
import { loadModuleGraph } from '../../src/analysis/ecosystems/go/gomodules/module-graph.ts'
import { sortFiles } from '../../src/analysis/ecosystems/go/gomodules/project-files.ts'
import { govendor } from '../../src/analysis/ecosystems/go/govendor/index.ts'
import type { GoReader } from '../../src/analysis/registries/go.ts'
import { goVersions } from '../../src/analysis/versions/go.ts'
import { parseModDocument } from '../../src/scanning/registries/go/proxy-documents.ts'
import {
  type Compared,
  type CompareSettings,
  type Comparison,
  firstOf,
  needsCommand,
  needsProjects,
  needsRegistries,
  notCompared,
  toCompared,
} from './comparison.ts'
import { compareEach, inCopy, readLocked, readText } from './projects.ts'

const LONGEST_MS = 1_200_000

export function goComparisons(settings: CompareSettings): Comparison[] {
  return [
    {
      ecosystem: 'govendor',
      what: 'each package is in a module, or is listed',
      reference: 'the file itself',
      missing: needsProjects('govendor'),
      run: () => compareEach(path.join(settings.manifests, 'govendor'), everyVendoredPackage),
    },
    {
      ecosystem: 'gomodules',
      what: 'edges and versions of the module graph',
      reference: 'go mod graph, go list -m all',
      missing: firstOf(needsProjects('gomodules'), needsCommand('go', 'go', 'version'), needsRegistries(settings)),
      run() {
        const reader = createReader()
        return compareEach(path.join(settings.manifests, 'gomodules'), (folder) => againstGo(folder, reader))
      },
    },
  ]
}

/** Compares a file with its own list: no tool is left that reads it. */
async function everyVendoredPackage(folder: string, project: string): Promise<Compared> {
  const target = readText(folder, 'vendor/vendor.json')
  const { graph, unresolved } = await readLocked(govendor, { target, additional: [] })
  const modules = graph.nodes.slice(1)
  const { package: listed } = JSON.parse(target) as { package: { path: string }[] }
  const isIn = (name: string, module: string) => name === module || name.startsWith(`${module}/`)
  const isThere = (name: string) =>
    modules.some((module) => isIn(name, module.package.name)) ||
    unresolved.some((unresolved) => unresolved.name === name)
  const isSound = ({ name, version }: { name: string; version: string }) =>
    goVersions.isValid(version) && listed.some((module) => isIn(module.path, name))
  const read = listed.filter((module) => isThere(module.path)).map((module) => module.path)
  const odd = modules.filter((module) => !isSound(module.package)).map((module) => module.package.name)
  const expected = new Set(listed.map((module) => module.path))
  return toCompared(project, 1, { packages: modules.length, own: new Set([...read, ...odd]), expected })
}

/** Compares edges as `a@v1 b@v2` and selected versions as `a v1`; `go` and `toolchain` are left out. */
async function againstGo(folder: string, reader: GoReader): Promise<Compared> {
  const project = path.basename(folder)
  const answer = await inCopy(folder, askGo)
  if (answer.refusal !== undefined) return notCompared(project, `go refuses: ${answer.refusal}`)
  const files = sortFiles({ target: readText(folder, 'go.mod'), additional: [] })
  const { mains, isWorkspace, replaces, findInFolder } = files
  const { requires, selected } = await loadModuleGraph({
    mains,
    isWorkspace,
    replaces,
    excludes: files.target.excludes,
    reads: createModReads(reader, findInFolder),
    maxModules: 100_000,
  })
  const edges = [...requires].flatMap(([from, all]) =>
    all.map(({ path: to, version }) => `${from.replace(/@$/, '')} ${to}@${version}`),
  )
  const versions = [...selected].filter(([, version]) => version !== '').map((selection) => selection.join(' '))
  const own = new Set([...edges, ...versions])
  return toCompared(project, 1, { packages: versions.length, own, expected: new Set(answer.lines) })
}

function askGo(cwd: string): { lines: readonly string[]; refusal?: string } {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' }
  const lines: string[] = []
  for (const parameters of [
    ['mod', 'graph'],
    ['list', '-m', '-f', '{{if not .Main}}{{.Path}} {{.Version}}{{end}}', 'all'],
  ]) {
    const limits = { cwd, env, timeout: LONGEST_MS, maxBuffer: 1e9, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync('go', parameters, limits)
    if (status !== 0) return { lines: [], refusal: stderr.trim().slice(-300) }
    lines.push(...stdout.trim().split('\n'))
  }
  return { lines: lines.filter((line) => line !== '' && !/(?:^| )(?:go|toolchain)@/.test(line)) }
}

/** Reads the go.mod files that the go command has fetched into its cache. */
function createReader(): GoReader {
  const { stdout } = spawnSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' })
  const cache = path.join(stdout.trim(), 'cache/download')
  const escapePath = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)
  return {
    hasProxy: async () => true,
    async mod(name, version) {
      const file = path.join(cache, escapePath(name), '@v', `${escapePath(version)}.mod`)
      try {
        return parseModDocument(readFileSync(file), name)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    versions: async () => undefined,
  }
}
