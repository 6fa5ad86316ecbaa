import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { registries } from '../../src/analysis/advisories/package-names.ts'
import { hex } from '../../src/analysis/ecosystems/beam/hex/index.ts'
import { conan } from '../../src/analysis/ecosystems/cpp/index.ts'
import { pub } from '../../src/analysis/ecosystems/dart/pub/index.ts'
import type { Ecosystem, Reading } from '../../src/analysis/ecosystems/ecosystem.ts'
import { gomodules } from '../../src/analysis/ecosystems/go/gomodules/index.ts'
import { bun } from '../../src/analysis/ecosystems/javascript/bun/index.ts'
import { npm } from '../../src/analysis/ecosystems/javascript/npm/index.ts'
import { pnpm } from '../../src/analysis/ecosystems/javascript/pnpm/index.ts'
import { yarn } from '../../src/analysis/ecosystems/javascript/yarn/index.ts'
import { gradle } from '../../src/analysis/ecosystems/jvm/gradle/index.ts'
import { composer } from '../../src/analysis/ecosystems/php/index.ts'
import { pipenv } from '../../src/analysis/ecosystems/python/pipenv/index.ts'
import { poetry } from '../../src/analysis/ecosystems/python/poetry/index.ts'
import { uv } from '../../src/analysis/ecosystems/python/uv/index.ts'
import { renv } from '../../src/analysis/ecosystems/r/index.ts'
import { rubygems } from '../../src/analysis/ecosystems/rubygems/index.ts'
import { cargo } from '../../src/analysis/ecosystems/rust/index.ts'
import { sbom } from '../../src/analysis/ecosystems/sbom/index.ts'
import { distinctPackages, matchGraph } from '../../src/analysis/findings/match-graph.ts'
import { type OpenAdvisories, openAdvisories } from '../../src/scanning/advisories/open-advisories.ts'
import { openSnapshotFile } from '../../src/scanning/advisories/snapshot-file.ts'
import { syncToFile } from '../../src/scanning/advisories/sync-to-file.ts'
import { corpusLacks } from '../corpus/folder.ts'
import {
  type Compared,
  type CompareSettings,
  type Comparison,
  firstOf,
  needsOption,
  needsProjects,
  once,
  toCompared,
} from './comparison.ts'
import {
  filesOf,
  labelOf,
  registryPackagesOf as labelsIn,
  orRefusal,
  projectsIn,
  readLocked,
  readManifest,
} from './projects.ts'

interface Scan {
  readonly results: readonly {
    readonly source: { readonly path: string }
    readonly packages: readonly {
      readonly package: { readonly name: string; readonly version: string; readonly ecosystem: string }
      readonly vulnerabilities?: readonly { readonly id: string }[]
    }[]
  }[]
}

interface ReadLock {
  readonly project: string
  readonly lock: string
  readonly files: number
  readonly reading: Reading
}

interface LockKind {
  readonly ecosystem: Ecosystem
  /** The file that both read, by its name. */
  readonly lock: RegExp
  readonly companions?: RegExp
  /** True if one file can end the search for vulnerabilities in all: offline, packages from git or without a version do. */
  readonly isScannedAlone?: true
}

const locks: readonly LockKind[] = [
  { ecosystem: npm, lock: /^package-lock\.json$/, companions: /^package\.json$/ },
  { ecosystem: yarn, lock: /^yarn\.lock$/, companions: /^package\.json$/ },
  { ecosystem: pnpm, lock: /^pnpm-lock\.yaml$/, companions: /^package\.json$/, isScannedAlone: true },
  { ecosystem: bun, lock: /^bun\.lock$/, companions: /^package\.json$/ },
  { ecosystem: rubygems, lock: /^Gemfile\.lock$/ },
  { ecosystem: gomodules, lock: /^go\.mod$/, companions: /^go\.sum$/ },
  { ecosystem: poetry, lock: /^poetry\.lock$/ },
  { ecosystem: uv, lock: /^uv\.lock$/ },
  { ecosystem: pipenv, lock: /^Pipfile\.lock$/ },
  { ecosystem: gradle, lock: /^gradle\.lockfile$/ },
  { ecosystem: cargo, lock: /^Cargo\.lock$/ },
  { ecosystem: composer, lock: /^composer\.lock$/ },
  { ecosystem: pub, lock: /^pubspec\.lock$/ },
  { ecosystem: hex, lock: /^mix\.lock$/ },
  { ecosystem: conan, lock: /^conan\.lock$/ },
  { ecosystem: renv, lock: /^renv\.lock$/ },
  // Under other names, osv-scanner does not know them.
  {
    ecosystem: sbom,
    lock: /^bom\.(?:json|xml)$|\.cdx\.(?:json|xml)$|\.spdx(?:\.json)?$/,
    isScannedAlone: true,
  },
]

/** Compares packages and vulnerabilities of a lock with those of another scanner, with the same advisories. */
export function osvScannerComparisons({ manifests, osvScanner }: CompareSettings): Comparison[] {
  const needsScanner = needsOption(osvScanner, 'the program: --osv-scanner <path>')
  const osv = path.join(manifests, '../osv')
  return locks.flatMap((kind): Comparison[] => {
    const { ecosystem } = kind
    const both = once(async () => {
      const read = await readAll(kind, path.join(manifests, ecosystem.id))
      const paths = read.map((lock) => lock.lock)
      const runs = kind.isScannedAlone ? paths.map((path) => [path]) : [paths]
      return { read, scanned: new Map(runs.flatMap((run) => [...scanAll(osvScanner!, osv, run)])) }
    })
    const shared = {
      ecosystem: ecosystem.id,
      reference: 'osv-scanner',
      missing: firstOf(needsProjects(ecosystem.id), () => corpusLacks('osv'), needsScanner),
    }
    return [
      {
        ...shared,
        what: 'packages of the lock',
        async run() {
          const { read, scanned } = await both()
          return read.map((lock) => comparePackages(ecosystem, lock, scanned))
        },
      },
      {
        ...shared,
        what: 'vulnerabilities of packages that both find',
        async run() {
          using advisories = await openCorpusAdvisories(osv)
          const { read, scanned } = await both()
          return read.map((lock) => compareFindings(ecosystem, lock, { scanned, advisories }))
        },
      },
    ]
  })
}

function comparePackages({ id }: Ecosystem, { project, files, reading, lock }: ReadLock, scanned: Scanned): Compared {
  const packages = (scanned.get(lock) ?? []).map((item) => item.package).filter(hasRegistry)
  const expected = new Set(packages.map(labelOf))
  const own = labelsIn(reading)
  if (id !== 'sbom') return toCompared(project, files, { packages: own.size, own, expected })
  const shortened = { own: withoutGroups(own), expected: withoutGroups(expected) }
  return toCompared(project, files, { packages: own.size, ...shortened })
}

async function readAll({ ecosystem, lock, companions }: LockKind, folder: string): Promise<ReadLock[]> {
  const read: ReadLock[] = []
  for (const project of projectsIn(folder)) {
    const at = path.join(folder, project)
    const name = readdirSync(at).find((text) => lock.test(text))
    if (name === undefined) continue
    const others = companions === undefined ? [] : filesOf(at, companions)
    const files = name === 'go.mod' ? [name, ...others] : [...others, name]
    const reading = await orRefusal(readLocked(ecosystem, readManifest(at, files)))
    if (typeof reading === 'string') console.error(`${ecosystem.id}, ${project}: left out, we refuse it: ${reading}`)
    else read.push({ project, lock: path.join(at, name), files: files.length, reading })
  }
  return read
}

/** One line a vulnerability: theirs may be named by any of the records that we take for one. */
function compareFindings(
  ecosystem: Ecosystem,
  { project, files, reading, lock }: ReadLock,
  { scanned: all, advisories }: { scanned: Scanned; advisories: OpenAdvisories },
): Compared {
  const own = labelsIn(reading)
  const affected = matchGraph(distinctPackages(reading.graph), ecosystem, advisories.snapshot)
  const speakers = new Map<string, string>()
  const product = new Set<string>()
  const scanned = all.get(lock) ?? []
  const theirPackages = new Set(scanned.map(({ package: matches }) => labelOf(matches)))
  for (const { package: results, matches } of affected) {
    const label = labelOf(results)
    if (!theirPackages.has(label)) continue
    for (const { record, others } of matches) {
      const line = `${label} ${advisories.idOf(record)}`
      product.add(line)
      for (const other of [record, ...others]) speakers.set(`${label} ${advisories.idOf(other)}`, line)
    }
  }
  const expected = scanned.flatMap(({ package: matches, vulnerabilities = [] }) => {
    const label = labelOf(matches)
    if (!own.has(label)) return []
    return vulnerabilities.map(({ id }) => speakers.get(`${label} ${id}`) ?? `${label} ${id}`)
  })
  return toCompared(project, files, { packages: own.size, own: product, expected: new Set(expected) })
}

/** The scanner takes the names of a bill's components, which may lack the group; those without a version are not found here. */
function withoutGroups(labels: ReadonlySet<string>): Set<string> {
  const short = [...labels].map((label) => label.replace(/^.*[/:](?=[^/:]*@[^@]*$)/, '').toLowerCase())
  return new Set(short.filter((label) => !label.endsWith('@')))
}

/** Bills list packages of all kinds; those without advisories are reported and have no registry here. */
function hasRegistry({ ecosystem }: { readonly ecosystem: string }): boolean {
  return registries.some((registry) => registry === ecosystem)
}

type Scanned = ReadonlyMap<string, Scan['results'][number]['packages']>

/** Scans all locks in one run, offline with our advisories. */
function scanAll(program: string, osv: string, locks: readonly string[]): Scanned {
  const cache = mkdtempSync(path.join(tmpdir(), 'osv-scanner-'))
  try {
    mkdirSync(path.join(cache, 'osv-scalibr'))
    for (const name of registries.filter((registry) => existsSync(path.join(osv, registry))))
      symlinkSync(path.resolve(osv, name), path.join(cache, 'osv-scalibr', name))
    const flags = ['scan', 'source', '--offline', '--all-packages', '--format', 'json']
    const env = { ...process.env, OSV_SCANNER_LOCAL_DB_CACHE_DIRECTORY: cache }
    const parameters = [...flags, ...locks.flatMap((lock) => ['--lockfile', lock])]
    const { stdout, stderr } = spawnSync(program, parameters, { encoding: 'utf8', env, maxBuffer: 2 ** 30 })
    const start = stdout.indexOf('{\n')
    // The scanner refuses a run without packages.
    if (start === -1 && /No package sources found/i.test(stderr)) return new Map()
    if (start === -1) throw new Error(`osv-scanner failed: ${stderr.slice(-300)}`)
    const { results } = JSON.parse(stdout.slice(start)) as Scan
    return new Map(results.map(({ source, packages }) => [source.path, packages]))
  } finally {
    rmSync(cache, { recursive: true })
  }
}

/** Compiles the advisories of a corpus; they are removed when it is disposed. */
export async function openCorpusAdvisories(osv: string): Promise<OpenAdvisories & Disposable> {
  const dir = mkdtempSync(path.join(tmpdir(), 'compare-'))
  const order = { from: osv, registries, dir, now: 0, acceptRemovals: false, outgoing: { allow: [] } }
  const result = await syncToFile(order, { onProgress: () => {} })
  if (result.outcome !== 'written') throw new Error(`the advisories of ${osv} were not read`)
  const opened = openAdvisories(openSnapshotFile(result.written.path, result.written.digest))
  return {
    ...opened,
    [Symbol.dispose]() {
      opened.close()
      rmSync(dir, { recursive: true })
    },
  }
}
