import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { registries } from '#analysis/advisories/package-names.ts'
import { bun } from '#analysis/ecosystems/bun/index.ts'
import type { Ecosystem, Reading } from '#analysis/ecosystems/ecosystem.ts'
import { gomodules } from '#analysis/ecosystems/gomodules/index.ts'
import { npm } from '#analysis/ecosystems/npm/index.ts'
import { pipenv } from '#analysis/ecosystems/pipenv/index.ts'
import { pnpm } from '#analysis/ecosystems/pnpm/index.ts'
import { poetry } from '#analysis/ecosystems/poetry/index.ts'
import { rubygems } from '#analysis/ecosystems/rubygems/index.ts'
import { uv } from '#analysis/ecosystems/uv/index.ts'
import { yarn } from '#analysis/ecosystems/yarn/index.ts'
import { distinctPackages, matchGraph } from '#analysis/findings/match-graph.ts'
import { type OpenAdvisories, openAdvisories } from '#scanning/advisories/open-advisories.ts'
import { openSnapshotFile } from '#scanning/advisories/snapshot-file.ts'
import { syncToFile } from '#scanning/advisories/sync-to-file.ts'
import { corpusLacks } from '../corpus/folder.ts'
import { type Compared, type CompareSettings, type Comparison, toCompared } from './comparison.ts'
import { filesOf, projectsIn, readLocked, readText } from './real-projects.ts'

interface Scan {
  readonly results: readonly {
    readonly source: { readonly path: string }
    readonly packages: readonly {
      readonly package: { readonly name: string; readonly version: string }
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

const locks: readonly { ecosystem: Ecosystem; lock: string; companions: RegExp | undefined }[] = [
  { ecosystem: npm, lock: 'package-lock.json', companions: /^package\.json$/ },
  { ecosystem: yarn, lock: 'yarn.lock', companions: /^package\.json$/ },
  { ecosystem: pnpm, lock: 'pnpm-lock.yaml', companions: /^package\.json$/ },
  { ecosystem: bun, lock: 'bun.lock', companions: /^package\.json$/ },
  { ecosystem: rubygems, lock: 'Gemfile.lock', companions: undefined },
  { ecosystem: gomodules, lock: 'go.mod', companions: /^go\.sum$/ },
  { ecosystem: poetry, lock: 'poetry.lock', companions: undefined },
  { ecosystem: uv, lock: 'uv.lock', companions: undefined },
  { ecosystem: pipenv, lock: 'Pipfile.lock', companions: undefined },
]

/** Compares packages and vulnerabilities of a lock with those of another scanner, with the same advisories. */
export function osvScannerComparisons({ manifests, osvScanner }: CompareSettings): Comparison[] {
  const folderOf = ({ id }: Ecosystem) => path.join(manifests, id)
  const missing = (ecosystem: Ecosystem) => () => {
    const lacks = corpusLacks(`manifests/${ecosystem.id}`) ?? corpusLacks('osv')
    return lacks ?? (osvScanner === undefined ? 'needs the program: --osv-scanner <path>' : undefined)
  }
  const osv = path.join(manifests, '../osv')
  return locks.flatMap(({ ecosystem, lock, companions }): Comparison[] => {
    const both = once(async () => {
      const read = await readAll(ecosystem, folderOf(ecosystem), { lock, companions })
      return {
        read,
        scanned: scanAll(
          osvScanner!,
          osv,
          read.map((each) => each.lock),
        ),
      }
    })
    return [
      {
        ecosystem: ecosystem.id,
        what: 'packages of the lock',
        reference: 'osv-scanner',
        missing: missing(ecosystem),
        async run() {
          const { read, scanned } = await both()
          return read.map(({ project, files, reading, lock: file }) => {
            const theirs = (scanned.get(file) ?? []).map(({ package: found }) => labelOf(found))
            const ours = labelsIn(reading)
            return toCompared(project, files, { packages: ours.size, ours, theirs: new Set(theirs) })
          })
        },
      },
      {
        ecosystem: ecosystem.id,
        what: 'vulnerabilities of what both find',
        reference: 'osv-scanner',
        missing: missing(ecosystem),
        async run() {
          using advisories = await openShared(osv)
          const { read, scanned } = await both()
          return read.map((each) => compareFindings(ecosystem, each, { scanned, advisories }))
        },
      },
    ]
  })
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

async function readAll(
  ecosystem: Ecosystem,
  folder: string,
  { lock, companions }: { lock: string; companions: RegExp | undefined },
): Promise<ReadLock[]> {
  const read: ReadLock[] = []
  for (const project of projectsIn(folder)) {
    const at = path.join(folder, project)
    if (!existsSync(path.join(at, lock))) continue
    const files = companions === undefined ? [] : filesOf(at, companions)
    const texts = files.map((file) => readText(at, file))
    const sent = lock === 'go.mod' ? [readText(at, lock), ...texts] : [...texts, readText(at, lock)]
    const [target = '', ...additional] = sent
    const reading = await readLocked(ecosystem, { target, additional })
    read.push({ project, lock: path.join(at, lock), files: files.length + 1, reading })
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
  const ours = new Set<string>()
  const scanned = all.get(lock) ?? []
  const theirPackages = new Set(scanned.map(({ package: found }) => labelOf(found)))
  for (const { package: found, matches } of affected) {
    const label = labelOf(found)
    if (!theirPackages.has(label)) continue
    for (const { record, others } of matches) {
      const line = `${label} ${advisories.idOf(record)}`
      ours.add(line)
      for (const each of [record, ...others]) speakers.set(`${label} ${advisories.idOf(each)}`, line)
    }
  }
  const theirs = scanned.flatMap(({ package: found, vulnerabilities = [] }) => {
    const label = labelOf(found)
    if (!own.has(label)) return []
    return vulnerabilities.map(({ id }) => speakers.get(`${label} ${id}`) ?? `${label} ${id}`)
  })
  return toCompared(project, files, { packages: own.size, ours, theirs: new Set(theirs) })
}

/** The scanner writes versions of Go without the leading letter. */
function labelOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version.replace(/^v(?=\d)/, '')}`
}

function labelsIn(reading: Reading): Set<string> {
  return new Set(reading.graph.nodes.slice(1).map(({ package: found }) => labelOf(found)))
}

type Scanned = ReadonlyMap<string, Scan['results'][number]['packages']>

/** Scans all locks in one run, offline with our advisories. */
function scanAll(program: string, osv: string, locks: readonly string[]): Scanned {
  const cache = mkdtempSync(path.join(tmpdir(), 'osv-scanner-'))
  try {
    mkdirSync(path.join(cache, 'osv-scalibr'))
    for (const name of registries) symlinkSync(path.resolve(osv, name), path.join(cache, 'osv-scalibr', name))
    const flags = ['scan', 'source', '--offline', '--all-packages', '--format', 'json']
    const env = { ...process.env, OSV_SCANNER_LOCAL_DB_CACHE_DIRECTORY: cache }
    const parameters = [...flags, ...locks.flatMap((lock) => ['--lockfile', lock])]
    const { stdout, stderr } = spawnSync(program, parameters, { encoding: 'utf8', env, maxBuffer: 2 ** 30 })
    const start = stdout.indexOf('{\n')
    if (start === -1) throw new Error(`osv-scanner failed: ${stderr.slice(-300)}`)
    const { results } = JSON.parse(stdout.slice(start)) as Scan
    return new Map(results.map(({ source, packages }) => [source.path, packages]))
  } finally {
    rmSync(cache, { recursive: true })
  }
}

async function openShared(osv: string): Promise<OpenAdvisories & Disposable> {
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
