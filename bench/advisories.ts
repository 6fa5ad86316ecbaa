import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registries } from '../src/analysis/advisories/package-names.ts'
import { parseRecord } from '../src/analysis/advisories/parse-record.ts'
import { openArchive } from '../src/scanning/advisories/archive.ts'
import { openAdvisories } from '../src/scanning/advisories/open-advisories.ts'
import { openSnapshotFile, type WrittenSnapshot, writeSnapshotFile } from '../src/scanning/advisories/snapshot-file.ts'
import { corpusFolder } from '../tools/corpus/folder.ts'
import { syntheticAdvisories } from './synthetic-advisories.ts'

const RECORDS = 250_000
const realExport = join(corpusFolder, 'osv')

/** A snapshot of the real records, where the corpus has them, filled up with synthetic ones to `total`. */
export async function writeBenchSnapshot(
  dir: string,
  total: number,
  knownNames: readonly string[] = [],
): Promise<WrittenSnapshot> {
  const origin = { builtAt: 1_700_000_000_000, source: 'bench', isStarterSet: false }
  return writeSnapshotFile(dir, origin, async (compilation) => {
    let added = 0
    if (existsSync(realExport)) {
      for (const registry of registries) {
        const archive = await openArchive(join(realExport, registry, 'all.zip'))
        for (const entry of archive.entries((id) => !compilation.has(id))) {
          if ('text' in entry && compilation.add(parseRecord(entry.text)) === 'added') added++
        }
        archive.close()
      }
    }
    const count = Math.max(0, total - added)
    for (const record of syntheticAdvisories({ count, seed: 1, packages: 60_000, knownNames })) compilation.add(record)
    return []
  })
}

function round(ms: number): string {
  return ms.toFixed(ms < 10 ? 2 : 0)
}

function measure<T>(title: string, run: () => T): T {
  const start = performance.now()
  const result = run()
  console.log(`${title}: ${round(performance.now() - start)} ms`)
  return result
}

function residentMb(): string {
  globalThis.gc?.()
  return `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`
}

/** In a process of its own, as a server would: load, match, describe. */
function measureUse(path: string, digest: string): void {
  console.log(`resident before: ${residentMb()}`)
  const file = measure('open and verify', () => openSnapshotFile(path, digest))
  const advisories = openAdvisories(file)
  console.log(`resident after: ${residentMb()} (index ${(file.index.byteLength / 1e6).toFixed(1)} MB)`)
  const mixed = Array.from({ length: 2000 }, (_, n) => ({
    name: n % 10 < 3 ? `synthetic-package-${n * 7}` : `unheard-of-${n}`,
    version: `${n % 7}.${n % 13}.${n % 17}`,
  }))
  const hot = mixed.map(({ version }, n) => ({ name: `synthetic-package-${n % 50}`, version }))
  for (const [title, packages] of Object.entries({ 'a third known': mixed, 'all hot': hot })) {
    let matches = 0
    const times = Array.from({ length: 40 }, () => {
      const start = performance.now()
      matches = 0
      for (const { name, version } of packages) matches += advisories.snapshot.affecting('npm', name, version).length
      return performance.now() - start
    })
    const sorted = times.toSorted((a, b) => a - b)
    console.log(
      `match 2,000 packages, ${title}: first ${round(times[0]!)} ms, median ${round(sorted[20]!)} ms, ${matches} matches`,
    )
  }
  const found = hot
    .slice(0, 200)
    .flatMap(({ name, version }) =>
      advisories.snapshot.affecting('npm', name, version).map((match) => ({ match, name })),
    )
  const some = found.filter((_, n) => n % 40 === 0).slice(0, 50)
  measure(`describe ${some.length} vulnerabilities`, () =>
    some.map(({ match, name }) => advisories.describe(match, { registry: 'npm', name })),
  )
  console.log(`resident at the end: ${residentMb()}`)
  advisories.close()
}

async function measureCompiling(dir: string): Promise<void> {
  const start = performance.now()
  const { records, sizeBytes, path, digest } = await writeBenchSnapshot(dir, RECORDS)
  const ms = round(performance.now() - start)
  console.error(
    `compile ${records} records: ${ms} ms, ${residentMb()} resident, file ${(sizeBytes / 1e6).toFixed(1)} MB`,
  )
  console.log(`${path} ${digest}`)
}

/** Runs each step in a separate process, so that no step profits from the memory of another. */
function runSteps(): void {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const step = (...args: string[]) =>
    execFileSync(process.execPath, ['--expose-gc', import.meta.filename, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim()
  try {
    const written = step('compile', dir).split(' ')
    console.log(step('use', ...written))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

if (import.meta.main) {
  const [step, first, second] = process.argv.slice(2)
  if (step === 'compile' && first !== undefined) await measureCompiling(first)
  else if (step === 'use' && first !== undefined && second !== undefined) measureUse(first, second)
  else runSteps()
}
