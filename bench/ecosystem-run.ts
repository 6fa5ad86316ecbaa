/**
 * One ecosystem in a process of its own, so that its memory is its own: `<id> <snapshot> <digest> <packages>`; prints
 * JSON.
 */
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import { distinctPackages, matchGraph } from '#analysis/findings/match-graph.ts'
import { openAdvisories } from '#scanning/advisories/open-advisories.ts'
import { openSnapshotFile } from '#scanning/advisories/snapshot-file.ts'
import { plainRegistries } from '../tools/fuzz/plain-registries.ts'
import { type BenchProject, readOptions, threeProjects } from './ecosystem-projects.ts'
import { median } from './load.ts'
import { syntheticLocks } from './synthetic-locks/index.ts'

export interface ProjectFigures {
  readonly project: string
  readonly kilobytes: number
  readonly packages: number
  readonly unresolved: number
  readonly firstMs: number
  readonly readMs: number
  readonly matchMs: number
  readonly matches: number
}

export interface EcosystemFigures {
  readonly projects: readonly ProjectFigures[]
  /** A synthetic project of `PACKAGES` packages in each format of the ecosystem. */
  readonly formats: readonly ProjectFigures[]
  /** Peak resident memory, including the advisories. */
  readonly memoryMb: number
}

const [id = '', snapshot = '', digest = '', packages = ''] = process.argv.slice(2)
const ROUNDS = 15
const LONGEST_MS = 4_000
const ecosystem = getEcosystem(id)
const advisories = openAdvisories(openSnapshotFile(snapshot, digest))

type Measured = Pick<BenchProject, 'name' | 'target' | 'additional' | 'bytes'>

async function measure({ name, target, additional, bytes }: Measured): Promise<ProjectFigures> {
  const read = () => ecosystem.read({ target, additional }, plainRegistries, readOptions)
  const reads = await rounds(read)
  const { graph, unresolved } = await read()
  const packages = distinctPackages(graph)
  let matches = 0
  const matching = await rounds(async () => {
    matches = matchGraph(packages, ecosystem, advisories.snapshot).reduce((sum, each) => sum + each.matches.length, 0)
  })
  return {
    project: name,
    kilobytes: bytes / 1000,
    packages: packages.length,
    unresolved: unresolved.length,
    firstMs: reads[0]!,
    readMs: median(reads.slice(1)),
    matchMs: median(matching.slice(1)),
    matches,
  }
}

async function rounds(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let total = 0; times.length < 3 || (times.length < ROUNDS && total < LONGEST_MS); ) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
    total += times.at(-1)!
  }
  return times
}

async function measureAll(projects: readonly Measured[]): Promise<ProjectFigures[]> {
  const figures: ProjectFigures[] = []
  for (const project of projects) figures.push(await measure(project))
  return figures
}

const projects = await measureAll(threeProjects(ecosystem))
const formats = await measureAll(syntheticLocks(Number(packages)).filter((lock) => lock.ecosystem === id))
const memoryMb = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ projects, formats, memoryMb } satisfies EcosystemFigures))
advisories.close()
