import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { corpusLacks } from '../tools/corpus/folder.ts'
import { writeBenchSnapshot } from './advisories.ts'
import { type BenchProject, threeProjects } from './ecosystem-projects.ts'
import type { EcosystemFigures } from './ecosystem-run.ts'
import { median, printTable } from './load.ts'
import { benchLocksOverHttp } from './locks-over-http.ts'
import { notComparable, type OtherProgram, otherLibraries, otherPrograms } from './other-tools.ts'
import { runWhole, type WholeRun } from './whole-run.ts'

const RECORDS = 250_000
const ROUNDS = 5
/** The size of the synthetic lockfiles, for which there is a bar. */
const PACKAGES = 2_000

type Figures = ReadonlyMap<string, EcosystemFigures>

/**
 * Real projects of three sizes of every ecosystem, and a synthetic one in every format of lockfiles and bills of
 * materials: reading (with resolution against registries that answer at once), matching alone, memory, and what other
 * tools take for the same. `BENCH_OSV_SCANNER` and `BENCH_SYFT` name programs (`go install
 * github.com/google/osv-scanner/v2/cmd/osv-scanner@v2.6.0`, `…/github.com/anchore/syft/cmd/syft@v1.52.0`).
 */
export async function benchEcosystems(): Promise<void> {
  const lacks = corpusLacks('manifests/npm')
  if (lacks !== undefined) console.log(`Ecosystems: real projects are skipped, ${lacks}\n`)
  const dir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-ecosystems-'))
  try {
    const records = Number(process.env['BENCH_RECORDS'] ?? RECORDS)
    const many = await writeBenchSnapshot(dir, records)
    const figures = new Map(ecosystems.map(({ id }) => [id, runAlone(id, many.path, many.digest)]))
    console.log(
      `Real projects of three sizes, ${records.toLocaleString('en')} advisories; memory is the most for all three, with the advisories`,
    )
    printTable(
      ['ecosystem', 'project', 'kB', 'packages', 'named', 'first ms', 'read ms', 'match ms', 'matches', 'memory MB'],
      [...figures].flatMap(([id, { projects, memoryMb }]) =>
        projects.map((each, at) => [
          ...[id, each.project, each.kilobytes, each.packages, each.unresolved, each.firstMs, each.readMs],
          ...[each.matchMs, each.matches, at === projects.length - 1 ? memoryMb : ''],
        ]),
      ),
    )
    printFormats(figures)
    await benchLocksOverHttp(dir, many, PACKAGES)
    await compareLibraries(figures)
    const real = await writeBenchSnapshot(dir, 0)
    await comparePrograms(dir, [real.path, real.digest])
    for (const each of notComparable) console.log(`  Not compared: ${each}`)
    console.log('')
  } finally {
    rmSync(dir, { recursive: true })
  }
}

function runAlone(id: string, snapshot: string, digest: string): EcosystemFigures {
  const file = path.join(import.meta.dirname, 'ecosystem-run.ts')
  const { stdout, stderr, status } = spawnSync(process.execPath, [file, id, snapshot, digest, String(PACKAGES)], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${id}: ${stderr}`)
  return JSON.parse(stdout) as EcosystemFigures
}

function printFormats(figures: Figures): void {
  console.log(
    `${PACKAGES.toLocaleString('en')} packages without known vulnerabilities in every format, in a process that is warm`,
  )
  printTable(
    ['ecosystem', 'format', 'kB', 'packages', 'named', 'first ms', 'read ms', 'match ms'],
    [...figures].flatMap(([id, { formats }]) =>
      formats.map(({ project, kilobytes, packages, unresolved, firstMs, readMs, matchMs }) => [
        ...[id, project, kilobytes, packages, unresolved, firstMs, readMs, matchMs],
      ]),
    ),
  )
}

async function compareLibraries(figures: Figures): Promise<void> {
  const rows: (string | number)[][] = []
  for (const { name, ecosystem, missing, measure } of otherLibraries) {
    const reason = missing()
    if (reason !== undefined) console.log(`  ${name}: left out, ${reason}`)
    for (const project of reason === undefined ? projectsOf([ecosystem]) : []) {
      const ours = figures.get(ecosystem)?.projects.find((each) => each.project === project.name)?.readMs
      const theirs = await measure(project)
      if (ours !== undefined && theirs !== undefined)
        rows.push([ecosystem, project.name, name, theirs, ours, ratio(theirs, ours)])
    }
  }
  console.log('Reading the same with the libraries of the package managers, in a process that is warm')
  printTable(['ecosystem', 'project', 'library', 'ms', 'ours ms', 'theirs/ours'], rows)
}

async function comparePrograms(dir: string, snapshot: readonly string[]): Promise<void> {
  const rows: (string | number)[][] = []
  for (const program of otherPrograms) {
    const reason = program.missing()
    if (reason !== undefined) {
      console.log(`  ${program.name}: left out, ${reason}`)
      continue
    }
    const folder = mkdtempSync(path.join(dir, 'program-'))
    program.prepare(folder)
    for (const project of projectsOf(program.ecosystems)) {
      const [theirs, ours] = await takeTurns(program, { project, folder, snapshot })
      rows.push([
        ...[project.ecosystem, project.name, program.name, program.does, theirs.ms, ours.ms],
        ...[ratio(theirs.ms, ours.ms), theirs.memoryMb, ours.memoryMb],
      ])
    }
  }
  console.log('Whole programs, from start to answer, with the same advisories; ours starts Node, reads and matches')
  printTable(['ecosystem', 'project', 'program', 'does', 'ms', 'ours ms', 'theirs/ours', 'MB', 'ours MB'], rows)
}

interface Race {
  readonly project: BenchProject
  readonly folder: string
  readonly snapshot: readonly string[]
}

/**
 * Measures commands in turn, so that other work on the machine affects all; returns medians after one warm-up round.
 */
async function takeTurns(program: OtherProgram, { project, folder, snapshot }: Race): Promise<[WholeRun, WholeRun]> {
  const once = path.join(import.meta.dirname, 'ecosystem-once.ts')
  const theirs: WholeRun[] = []
  const ours: WholeRun[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    theirs.push(await runWhole(...program.run(project, folder)))
    ours.push(await runWhole(process.execPath, [once, project.ecosystem, project.name, ...snapshot]))
  }
  return [middleOf(theirs), middleOf(ours)]
}

function middleOf(runs: readonly WholeRun[]): WholeRun {
  const counted = runs.slice(1)
  return { ms: median(counted.map(({ ms }) => ms)), memoryMb: median(counted.map(({ memoryMb }) => memoryMb)) }
}

function projectsOf(ids: readonly string[]): BenchProject[] {
  return ecosystems.filter(({ id }) => ids.includes(id)).flatMap(threeProjects)
}

function ratio(theirs: number, ours: number): string {
  return `${(theirs / ours).toFixed(1)}×`
}
