import { spawnSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { npm } from '../../src/analysis/ecosystems/javascript/npm/index.ts'
import type { NpmReader, PackageMetadata, VersionMetadata } from '../../src/analysis/registries/npm.ts'
import { registriesOf } from '../../test/support/registries/registries.ts'
import { ArboristOfNpm, npmReadingLines, treeLines } from './arborist-view.ts'
import {
  type Compared,
  type CompareSettings,
  type Comparison,
  firstOf,
  needsProjects,
  needsRegistries,
  notCompared,
  toCompared,
} from './comparison.ts'
import {
  compareEach,
  filesOf,
  inCopy,
  options,
  packagesOf,
  projectsIn,
  readLocked,
  readManifest,
  readText,
} from './projects.ts'

const LONGEST_MS = 600_000

/** npm's own reading of locks, and the packages that it installs without one. */
export function npmComparisons(settings: CompareSettings): Comparison[] {
  const root = path.join(settings.manifests, 'npm')
  return [
    {
      ecosystem: 'npm',
      what: 'packages and edges of the lock',
      reference: 'Arborist',
      missing: needsProjects('npm'),
      run: () => compareEach(root, againstArborist),
    },
    {
      ecosystem: 'npm',
      what: 'resolution of package.json',
      reference: 'npm install',
      missing: firstOf(needsProjects('npm'), needsRegistries(settings)),
      async run() {
        const reader = createReader()
        const compared: Compared[] = []
        for (const folder of smallestFirst(root).slice(0, settings.installs))
          compared.push(await againstInstall(folder, reader))
        return compared
      },
    },
  ]
}

async function againstArborist(folder: string, project: string): Promise<Compared> {
  const reading = await readLocked(npm, readManifest(folder, ['package.json', 'package-lock.json']))
  const expected = treeLines(await new ArboristOfNpm({ path: folder }).loadVirtual())
  return toCompared(project, 2, { packages: packagesOf(reading).size, own: npmReadingLines(reading), expected })
}

/** By the size of their locks, which is about what an install takes. */
function smallestFirst(root: string): string[] {
  const sizeOf = (folder: string) =>
    filesOf(folder, /package-lock\.json$/).reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0)
  const sized = projectsIn(root).map((project) => path.join(root, project))
  return sized.sort((a, b) => sizeOf(a) - sizeOf(b))
}

async function againstInstall(folder: string, reader: NpmReader): Promise<Compared> {
  const project = path.basename(folder)
  const files = filesOf(folder, /^package\.json$/)
  const plain = await lockWithNpm(folder, [])
  const { lock, refusal } = plain.lock === undefined ? await lockWithNpm(folder, ['--force']) : plain
  if (lock === undefined) return notCompared(project, `npm refuses: ${refusal}`)
  const manifest = readManifest(folder, files)
  const registries = registriesOf({ npm: reader })
  const expected = await npm.read({ ...manifest, additional: [...manifest.additional, lock] }, registries, options)
  const own = packagesOf(await npm.read(manifest, registries, options))
  const compared = toCompared(project, files.length, { packages: own.size, own, expected: packagesOf(expected) })
  return plain.lock === undefined
    ? { ...compared, note: `npm only with --force: ${plain.refusal.slice(0, 120)}` }
    : compared
}

function lockWithNpm(folder: string, more: readonly string[]): Promise<{ lock: string | undefined; refusal: string }> {
  return inCopy(folder, (copy) => {
    for (const file of filesOf(copy, /^(?:package-lock|npm-shrinkwrap)\.json$/)) rmSync(path.join(copy, file))
    const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...more]
    const limits = { cwd: copy, timeout: LONGEST_MS, encoding: 'utf8', maxBuffer: 1e8 } as const
    const { status, stderr } = spawnSync('npm', ['install', ...flags], limits)
    if (status === 0) return { lock: readText(copy, 'package-lock.json'), refusal: '' }
    const refusal = status === null ? `no answer in ${LONGEST_MS} ms` : stderr.split('\n').slice(0, 3).join(' ')
    return { lock: undefined, refusal }
  })
}

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

/** Reads through npm's own client and its cache, which has what npm has just fetched. */
function createReader(): NpmReader {
  const ofNpm = createRequire(createRequire(import.meta.url).resolve('@npmcli/arborist'))
  const { packument } = ofNpm('pacote') as { packument(name: string, settings: object): Promise<Packument> }
  const setting = (key: string) => spawnSync('npm', ['config', 'get', key], { encoding: 'utf8' }).stdout.trim()
  const cache = path.join(setting('cache'), '_cacache')
  const settings = { registry: setting('registry'), cache, preferOffline: true, fullMetadata: true }
  const all = new Map<string, Promise<PackageMetadata | undefined>>()
  return {
    get(name) {
      const metadata =
        all.get(name) ?? packument(name, settings).then((document) => toMetadata(name, document), orUndefined)
      all.set(name, metadata)
      return metadata
    },
  }
}

function orUndefined(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'E404') return undefined
  throw error
}

function toMetadata(name: string, document: Packument): PackageMetadata {
  const versions = Object.entries(document.versions).map(
    ([version, packumentVersion]) => [version, toVersion(packumentVersion)] as const,
  )
  return { name, tags: document['dist-tags'] ?? {}, versions: Object.fromEntries(versions) }
}

function toVersion(version: PackumentVersion): VersionMetadata {
  const bundled = version.bundleDependencies ?? version.bundledDependencies
  const peers = Object.entries(version.peerDependenciesMeta ?? {})
  return {
    dependencies: version.dependencies ?? {},
    optionalDependencies: version.optionalDependencies ?? {},
    peerDependencies: version.peerDependencies ?? {},
    optionalPeers: peers.filter(([, about]) => about.optional === true).map(([peer]) => peer),
    ...(Array.isArray(bundled) && { bundled }),
    deprecated: Boolean(version.deprecated),
  }
}
