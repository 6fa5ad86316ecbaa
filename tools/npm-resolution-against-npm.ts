import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { npm } from '#analysis/ecosystems/javascript/npm/index.ts'
import type { NpmReader, PackageMetadata, VersionMetadata } from '#analysis/registries/npm.ts'
import { registriesOf } from '#test/registries/registries.ts'

const usage = `Holds our resolution of package.json files against npm's own, with the registry npm is configured for.

  node tools/npm-resolution-against-npm.ts <folder with a package.json>…

For each folder: npm makes a lockfile in a copy without one, we resolve the same files, and the packages that only one
of the two has are printed. Needs the registry; what npm has just fetched is taken from its cache.`

interface Packument {
  readonly 'dist-tags'?: Record<string, string>
  readonly versions: Record<string, PackumentVersion>
}

interface PackumentVersion {
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>
  readonly bundleDependencies?: readonly string[]
  readonly bundledDependencies?: readonly string[]
  readonly deprecated?: string | boolean
}

const run = promisify(execFile)
const LONGEST_MS = 600_000
const options: ReadOptions = { includeDev: true, repositories: [], limits: { maxNodes: 20_000 } }

async function main(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return console.log(usage)
  const metadata = await createReader()
  console.log("| project | our packages | npm's | only ours | only npm's | unresolved | places | npm's places | ms |")
  console.log('|---|---|---|---|---|---|---|---|---|')
  const details: string[] = []
  for (const folder of folders) {
    const compared = await compare(folder, metadata)
    if (compared.row !== undefined) console.log(compared.row)
    details.push(...compared.details)
  }
  console.log(details.join('\n'))
}

async function compare(folder: string, metadata: NpmReader): Promise<{ row?: string; details: string[] }> {
  const name = path.basename(folder)
  const [target, ...members] = await manifestsIn(folder)
  if (target === undefined) return { details: [`${name}: no package.json`] }
  const willing = await lockWithNpm(folder, [])
  const locked = typeof willing === 'string' ? await lockWithNpm(folder, ['--force']) : willing
  if (typeof locked === 'string')
    return { row: `| ${name} |${' |'.repeat(8)}`, details: [`${name}: npm refuses: ${locked}`] }
  const registries = registriesOf({ npm: metadata })
  const theirs = await npm.read({ target, additional: [...members, locked.lock] }, registries, options)
  const started = performance.now()
  const ours = await npm.read({ target, additional: members }, registries, options)
  const milliseconds = Math.round(performance.now() - started)
  const [onlyOurs, onlyTheirs] = [packagesOf(ours), packagesOf(theirs)].map((all, index, both) =>
    [...all].filter((each) => !both[1 - index]!.has(each)),
  )
  const cells = [
    name,
    packagesOf(ours).size,
    packagesOf(theirs).size,
    onlyOurs!.length,
    onlyTheirs!.length,
    ours.unresolved.length,
    ours.graph.nodes.length - 1,
    theirs.graph.nodes.length - 1,
    milliseconds,
  ]
  const unresolved = ours.unresolved.map((each) => `${each.name}@${each.range} ${each.code} (${each.requiredBy})`)
  return {
    row: `| ${cells.join(' | ')} |`,
    details: [
      ...(typeof willing === 'string' ? [`${name}: npm only with --force: ${willing.slice(0, 120)}`] : []),
      ...list(`${name}: only ours`, onlyOurs!),
      ...list(`${name}: only npm's`, onlyTheirs!),
      ...list(`${name}: named as unresolved`, unresolved),
    ],
  }
}

function list(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${label} (${items.length}):`, ...items.map((item) => `    ${item}`)]
}

function packagesOf({ graph }: Reading): Set<string> {
  return new Set(graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`))
}

async function manifestsIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true })
  const files = found.filter((file) => path.basename(file) === 'package.json' && !file.includes('node_modules'))
  files.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
  return Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
}

async function lockWithNpm(folder: string, more: readonly string[]): Promise<{ lock: string } | string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'resolution-'))
  try {
    const withoutLock = (file: string) => !/(?:package-lock|npm-shrinkwrap)\.json$|node_modules$/.test(file)
    await cp(folder, copy, { recursive: true, filter: withoutLock })
    for (const file of await readdir(copy, { recursive: true })) await chmodIfFolder(path.join(copy, file))
    const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...more]
    await run('npm', ['install', ...flags], { cwd: copy, timeout: LONGEST_MS, maxBuffer: 1e8 })
    return { lock: await readFile(path.join(copy, 'package-lock.json'), 'utf8') }
  } catch (error) {
    if (error instanceof Error && 'killed' in error && error.killed) return `no answer in ${LONGEST_MS} ms`
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    return output.split('\n').slice(0, 3).join(' ')
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function chmodIfFolder(file: string): Promise<void> {
  if ((await stat(file)).isDirectory()) await run('chmod', ['u+w', file])
}

/** Reads through npm's own client and its cache. */
async function createReader(): Promise<NpmReader> {
  const ofNpm = createRequire(createRequire(import.meta.url).resolve('@npmcli/arborist'))
  const { packument } = ofNpm('pacote') as { packument(name: string, settings: object): Promise<Packument> }
  const [registry, cache] = await Promise.all([setting('registry'), setting('cache')])
  const known = new Map<string, Promise<PackageMetadata | undefined>>()
  return {
    get(name) {
      const settings = { registry, cache: path.join(cache, '_cacache'), preferOffline: true, fullMetadata: true }
      let found = known.get(name)
      if (found === undefined) {
        found = packument(name, settings).then((document) => toMetadata(name, document), orUnknown)
        known.set(name, found)
      }
      return found
    },
  }
}

async function setting(key: string): Promise<string> {
  const { stdout } = await run('npm', ['config', 'get', key])
  return stdout.trim()
}

function orUnknown(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'E404') return undefined
  throw error
}

function toMetadata(name: string, document: Packument): PackageMetadata {
  const versions = Object.entries(document.versions).map(([version, each]) => [version, toVersion(each)] as const)
  return { name, tags: document['dist-tags'] ?? {}, versions: Object.fromEntries(versions) }
}

function toVersion(each: PackumentVersion): VersionMetadata {
  const bundled = each.bundleDependencies ?? each.bundledDependencies
  const peers = Object.entries(each.peerDependenciesMeta ?? {})
  return {
    dependencies: each.dependencies ?? {},
    optionalDependencies: each.optionalDependencies ?? {},
    peerDependencies: each.peerDependencies ?? {},
    optionalPeers: peers.filter(([, about]) => about.optional === true).map(([peer]) => peer),
    ...(Array.isArray(bundled) && { bundled }),
    deprecated: Boolean(each.deprecated),
  }
}

await main(process.argv.slice(2))
