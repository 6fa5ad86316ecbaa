import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { yarn } from '#analysis/ecosystems/javascript/yarn/index.ts'
import { readLockBerry } from '#analysis/ecosystems/javascript/yarn/lock-berry.ts'
import { noRegistries } from '#test/registries/registries.ts'

const usage = `Holds our reading of yarn.lock files of Yarn 2 and later against Yarn's own, without network.

  node tools/yarn-lock-against-yarn.ts <bin/yarn.js of @yarnpkg/cli-dist> <folder with package.json and yarn.lock>…

Yarn itself ("yarn info --all --recursive --virtuals --json") only reads locks of its own generation: version 4 of the
lock wants Yarn 2.4, 5 and 6 want 3.0 and 3.4, 8 wants 4.1, 10 the newest. Each differing line is printed: packages, and
edges between packages. Virtual packages are taken as the package they stand for; edges to peers are left out, as Yarn
does not list them. A workspace of the lock whose package.json is missing gets one with what the lock says of it.`

interface Line {
  readonly value: string
  readonly children: {
    readonly Version?: string
    readonly Dependencies?: readonly { readonly descriptor: string; readonly locator: string | null }[]
  }
}

const run = promisify(execFile)
const options: ReadOptions = { includeDev: true, repositories: [], limits: { maxNodes: 50_000 } }

async function main([cli, ...folders]: readonly string[]): Promise<void> {
  if (cli === undefined || folders.length === 0) return console.log(usage)
  console.log("| project | lines | only ours | only Yarn's |\n|---|---|---|---|")
  const details: string[] = []
  for (const folder of folders) {
    const compared = await compare(path.resolve(cli), folder)
    console.log(compared.row)
    details.push(...compared.details)
  }
  console.log(details.join('\n'))
}

async function compare(cli: string, folder: string): Promise<{ row: string; details: string[] }> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => path.basename(file) === 'package.json')
  files.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
  const [target, ...additional] = await Promise.all(
    [...files, 'yarn.lock'].map((file) => readFile(path.join(folder, file), 'utf8')),
  )
  const ours = linesOf(await yarn.read({ target: target!, additional }, noRegistries, options))
  const theirs = linesOfYarn(await askYarn(cli, folder))
  const [onlyOurs, onlyTheirs] = [ours.difference(theirs), theirs.difference(ours)]
  const name = path.basename(folder)
  return {
    row: `| ${[name, ours.size, onlyOurs.size, onlyTheirs.size].join(' | ')} |`,
    details: [...list(`${name}: only ours`, onlyOurs), ...list(`${name}: only Yarn's`, onlyTheirs)],
  }
}

function list(label: string, lines: ReadonlySet<string>): string[] {
  return lines.size === 0 ? [] : [`${label} (${lines.size}):`, ...[...lines].map((line) => `    ${line}`)]
}

function linesOf({ graph }: Reading): Set<string> {
  const labels = graph.nodes.map(({ package: { name, version } }, index) =>
    index === 0 ? 'project' : label(name, version),
  )
  return new Set([
    ...labels,
    ...graph.nodes.flatMap((node, from) =>
      node.edges.flatMap(({ to, kind }) => (kind === 'peer' ? [] : [`${labels[from]} → ${labels[to]}`])),
    ),
  ])
}

function linesOfYarn(lines: readonly Line[]): Set<string> {
  const labels = new Map(lines.map(({ value, children }) => [value, labelOf(value, children.Version)]))
  const edges = lines.flatMap(({ value, children }) =>
    (children.Dependencies ?? []).flatMap(({ locator }) => {
      const [from, to] = [labels.get(value), locator === null ? undefined : labels.get(locator)]
      return from === undefined || to === undefined || to === 'project' ? [] : [`${from} → ${to}`]
    }),
  )
  return new Set([...labels.values(), ...edges])
}

function labelOf(locator: string, version: string | undefined): string {
  const [, name = '', reference = ''] = /^(@?[^@]+)@(?:virtual:[^#]*#)?(.*)$/.exec(locator) ?? []
  return reference.startsWith('workspace:') ? 'project' : label(name, version ?? '')
}

/** Labels a package; without a version Yarn's label says so and ours has the source. */
function label(name: string, version: string): string {
  return /^\d/.test(version) && version !== '0.0.0-use.local' ? `${name}@${version}` : `${name}@local`
}

/** Only what decides the graph is kept of the settings; others may be unknown to this generation. */
async function askYarn(cli: string, folder: string): Promise<Line[]> {
  const copy = await mkdtemp(path.join(tmpdir(), 'yarn-'))
  try {
    await cp(folder, copy, { recursive: true })
    for (const file of ['', ...(await readdir(copy, { recursive: true }))]) await chmod(path.join(copy, file), 0o755)
    const settings = await readFile(path.join(copy, '.yarnrc.yml'), 'utf8').catch(() => '')
    const kept = settings.split(/^(?=\S)/m).filter((block) => /^(?:catalogs?|packageExtensions):/.test(block))
    await writeFile(path.join(copy, '.yarnrc.yml'), kept.join(''))
    await addWorkspaces(copy)
    const env = { ...process.env, YARN_ENABLE_NETWORK: '0', YARN_ENABLE_TELEMETRY: '0', YARN_IGNORE_PATH: '1' }
    const { stdout } = await run(process.execPath, [cli, 'info', '--all', '--recursive', '--virtuals', '--json'], {
      cwd: copy,
      env,
      maxBuffer: 1e9,
      timeout: 300_000,
    })
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function addWorkspaces(folder: string): Promise<void> {
  const { entries } = readLockBerry(await readFile(path.join(folder, 'yarn.lock'), 'utf8'), 'target')
  for (const { name, workspace, dependencies } of entries) {
    const file = workspace === undefined ? undefined : path.join(folder, workspace, 'package.json')
    if (file === undefined || existsSync(file)) continue
    const asked = Object.fromEntries(dependencies.map((each) => [each.name, each.range]))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify({ name, dependencies: asked }))
  }
}

await main(process.argv.slice(2))
