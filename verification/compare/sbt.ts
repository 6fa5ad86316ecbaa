import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { createPomBuilder } from '../../src/analysis/ecosystems/jvm/effective-pom.ts'
import { createPomReads } from '../../src/analysis/ecosystems/jvm/pom-reads.ts'
import { createPomSource } from '../../src/analysis/ecosystems/jvm/pom-source.ts'
import { readBuild } from '../../src/analysis/ecosystems/jvm/sbt/build.ts'
import { type Resolution, resolve } from '../../src/analysis/ecosystems/jvm/sbt/coursier.ts'
import type { ManagementRules } from '../../src/analysis/ecosystems/jvm/sbt/management.ts'
import {
  type Dependency,
  listProjectDependencies,
  type ProjectDependencies,
} from '../../src/analysis/ecosystems/jvm/sbt/project-dependencies.ts'
import { readSentFiles } from '../../src/analysis/ecosystems/jvm/sbt/sent-files.ts'
import { createRandom } from '../fuzz/random.ts'
import {
  type Compared,
  type CompareSettings,
  type Comparison,
  firstOf,
  needsOption,
  needsProjects,
  needsRegistries,
} from './comparison.ts'
import { mavenBase, readerOfAnswers } from './maven-answers.ts'
import { compareEach, filesOf, readManifest } from './projects.ts'

const LONGEST_MS = 1_200_000
const RANDOM_SETS = 30
/** The rules of current sbt. */
const management: ManagementRules = { reach: 'own', exclusions: 'added' }
const { pom, versions } = readerOfAnswers(undefined)
const reads = createPomReads({ pom, versions }, { requested: [], declared: [], maxQueries: 1e6 })
const limits = { builder: createPomBuilder(createPomSource(reads)), reads, management, maxPackages: 1e5 }

/** Every project of real builds, and random sets of their dependencies, as Coursier resolves them. */
export function sbtComparisons(settings: CompareSettings): Comparison[] {
  const { manifests, coursier, seed } = settings
  return [
    {
      ecosystem: 'sbt',
      what: 'resolution of builds',
      reference: 'Coursier',
      missing: firstOf(
        needsProjects('sbt'),
        needsOption(coursier, 'Coursier: --coursier <classpath>'),
        needsRegistries(settings),
      ),
      async run() {
        const pool: Dependency[] = []
        const builds = await compareEach(path.join(manifests, 'sbt'), async (folder, project) => {
          const projects = readProjects(folder)
          const direct = projects.flatMap(({ dependencies }) => dependencies)
          const distinct = new Map(
            direct.map((dependency) => [
              `${dependency.group}:${dependency.artifact}:${dependency.version}`,
              dependency,
            ]),
          )
          pool.push(...[...distinct.values()].filter(({ version }) => version !== undefined))
          return compare(project, projects, coursier!)
        })
        if (pool.length === 0) return builds
        return [...builds, await compare('at random', randomSets(pool, seed), coursier!)]
      },
    },
  ]
}

/** One question to both. */
type Question = Pick<ProjectDependencies, 'exclusions'> & {
  readonly dependencies: readonly Dependency[]
  readonly forced: ReadonlyMap<string, string>
}

function readProjects(folder: string): ProjectDependencies[] {
  const others = filesOf(folder, /\.(?:sbt|scala|properties)$/).filter((file) => file !== 'build.sbt')
  const files = readSentFiles(readManifest(folder, ['build.sbt', ...others.sort()]))
  return listProjectDependencies(readBuild(files), files)
}

/** Leaves out packages that no repository has, for which Coursier refuses the whole question. */
async function answerable({ dependencies, forced, exclusions }: Question): Promise<Question> {
  const product = dependencies.filter(({ kind }) => kind === 'product')
  const alone = product.map((dependency) => ({ ...dependency, isTransitive: false }))
  const { chosen } = await resolve(alone, { ...limits, forced, exclusions: [] })
  const isThere = ({ group, artifact }: Dependency) => chosen.get(`${group}:${artifact}`)?.pom !== undefined
  return { dependencies: product.filter(isThere), forced, exclusions }
}

function toLine({ dependencies, forced, exclusions }: Question): string {
  const words = dependencies.map(({ group, artifact, version, exclusions: own, isTransitive }) =>
    [
      `${group}:${artifact}:${version}`,
      ...own.map((exclusion) => `${exclusion.group}:${exclusion.artifact}`),
      ...(isTransitive ? [] : ['-']),
    ].join('|'),
  )
  const pins = [...forced].map(([name, version]) => `=${name}:${version}`)
  return [...words, ...pins, ...exclusions.map((exclusion) => `-${exclusion.group}:${exclusion.artifact}`)].join(' ')
}

async function compare(project: string, questions: readonly Question[], classpath: string): Promise<Compared> {
  const all = await Promise.all(questions.map(answerable))
  const parameters = ['-cp', classpath, `-Dmanagement=${management.reach}`, 'Resolve', mavenBase]
  const input = `${all.map(toLine).join('\n')}\n`
  const run = spawnSync('java', parameters, { input, encoding: 'utf8', maxBuffer: 1e8, timeout: LONGEST_MS })
  if (run.status !== 0) throw new Error(`Coursier failed: ${run.stderr.slice(-500)}`)
  const answers = run.stdout.trimEnd().split('\n')
  const [onlyOurs, onlyTheirs]: [string[], string[]] = [[], []]
  let packages = 0
  let refused = 0
  for (const [index, question] of all.entries()) {
    const own = namesIn(await resolve(question.dependencies, { ...limits, ...question }))
    const answer = answers[index] ?? '! no answer'
    if (answer.startsWith('!')) refused++
    else {
      const expected = new Set(answer.split(' ').filter((name) => name !== ''))
      packages += own.size
      onlyOurs.push(...own.difference(expected))
      onlyTheirs.push(...expected.difference(own))
    }
  }
  const note = refused === 0 ? {} : { note: `Coursier refuses ${refused} of ${all.length}` }
  return { project, files: all.length, packages, lines: packages + onlyTheirs.length, onlyOurs, onlyTheirs, ...note }
}

function namesIn({ chosen }: Resolution): Set<string> {
  return new Set([...chosen.values()].map(({ name, version }) => `${name}:${version}`))
}

/** Some direct dependencies of all builds together, some of them alone, excluded or pinned to another's version. */
function randomSets(pool: readonly Dependency[], seed: number): Question[] {
  const random = createRandom(seed)
  const pick = () => random.pick(pool)
  return Array.from({ length: RANDOM_SETS }, () => {
    const dependencies = Array.from({ length: 3 + random.below(6) }, pick).map((dependency) => ({
      ...dependency,
      kind: 'product' as const,
      isTransitive: random.below(10) > 0,
      exclusions: random.below(4) === 0 ? [{ group: pick().group, artifact: '*' }] : dependency.exclusions,
    }))
    const pinned = pick()
    const forced = new Map(random.below(3) === 0 ? [[`${pinned.group}:${pinned.artifact}`, pinned.version ?? '']] : [])
    return { dependencies, forced, exclusions: [] }
  })
}
