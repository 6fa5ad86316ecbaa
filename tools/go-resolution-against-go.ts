import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createModReads } from '#analysis/ecosystems/go/gomodules/mod-reads.ts'
import { loadModuleGraph } from '#analysis/ecosystems/go/gomodules/module-graph.ts'
import { type ProjectFiles, sortFiles } from '#analysis/ecosystems/go/gomodules/project-files.ts'
import type { GoReader } from '#analysis/registries/go.ts'
import { parseModDocument } from '#scanning/registries/go/proxy-documents.ts'

const usage = `Holds our module graphs against the go command's, with the module proxy that it is configured for.

  node tools/go-resolution-against-go.ts <folder with a go.mod>…

For each folder: \`go mod graph\` and \`go list -m all\` run in a copy of go.mod and go.sum, we load the graph of the same
files, and the edges and selected versions that only one of the two has are printed. \`go\` and \`toolchain\` are left
out. Our go.mod files are those that the go command has fetched into its cache.`

const run = promisify(execFile)
const LONGEST_MS = 1_200_000

async function main(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return console.log(usage)
  const reader = await createReader()
  console.log("| project | lines | go's | only ours | only go's | unresolved | ms |")
  console.log('|---|---|---|---|---|---|---|')
  const details: string[] = []
  for (const folder of folders) {
    const name = path.basename(folder)
    const theirs = await askGo(folder)
    if (typeof theirs === 'string') {
      console.log(`| ${name} |${' |'.repeat(6)}`)
      details.push(`${name}: go refuses: ${theirs}`)
      continue
    }
    const started = performance.now()
    const { lines: ours, failures } = await loadOurs(folder, reader)
    const milliseconds = Math.round(performance.now() - started)
    const [onlyOurs, onlyTheirs] = [[...ours.difference(theirs)], [...theirs.difference(ours)]]
    const cells = [name, ours.size, theirs.size, onlyOurs.length, onlyTheirs.length, failures.length, milliseconds]
    console.log(`| ${cells.join(' | ')} |`)
    details.push(
      ...list(`${name}: only ours`, onlyOurs),
      ...list(`${name}: only go's`, onlyTheirs),
      ...list(`${name}: named as unresolved`, failures),
    )
  }
  console.log(details.join('\n'))
}

function list(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${label} (${items.length}):`, ...items.map((item) => `    ${item}`)]
}

/** Edges as `a@v1 b@v2`, selected versions as `a v1`. */
async function askGo(folder: string): Promise<Set<string> | string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'resolution-'))
  try {
    await copyFile(path.join(folder, 'go.mod'), path.join(copy, 'go.mod'))
    await copyFile(path.join(folder, 'go.sum'), path.join(copy, 'go.sum')).catch(() => undefined)
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' }
    const ask = async (...parameters: readonly string[]) =>
      (await run('go', parameters, { cwd: copy, env, timeout: LONGEST_MS, maxBuffer: 1e9 })).stdout.trim().split('\n')
    const edges = await ask('mod', 'graph')
    const selected = await ask('list', '-m', '-f', '{{if not .Main}}{{.Path}} {{.Version}}{{end}}', 'all')
    const isOfGo = (line: string) => /(?:^| )(?:go|toolchain)@/.test(line)
    return new Set([...edges, ...selected].filter((line) => line !== '' && !isOfGo(line)))
  } catch (error) {
    return (error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)).trim().slice(-300)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function loadOurs(folder: string, reader: GoReader) {
  const target = await readFile(path.join(folder, 'go.mod'), 'utf8')
  const files: ProjectFiles = sortFiles({ target, additional: [] })
  const { mains, isWorkspace, replaces, findInFolder } = files
  const { requires, selected, failures } = await loadModuleGraph({
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
  const versions = [...selected].filter(([, version]) => version !== '').map((each) => each.join(' '))
  return {
    lines: new Set([...edges, ...versions]),
    failures: failures.map(({ path: name, version, reason }) => `${name}@${version}: ${reason}`),
  }
}

/** Reads go.mod files from the go command's cache. */
async function createReader(): Promise<GoReader> {
  const { stdout } = await run('go', ['env', 'GOMODCACHE'])
  const cache = path.join(stdout.trim(), 'cache/download')
  const escapePath = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)
  return {
    hasProxy: async () => true,
    async mod(name, version) {
      const file = path.join(cache, escapePath(name), '@v', `${escapePath(version)}.mod`)
      try {
        return parseModDocument(await readFile(file), name)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    versions: async () => undefined,
  }
}

await main(process.argv.slice(2))
