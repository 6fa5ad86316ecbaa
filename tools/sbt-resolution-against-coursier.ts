/**
 * Holds our resolution of sbt's builds against Coursier itself: for every project of a build, and for sets of their
 * dependencies put together at random.
 *
 *     node tools/sbt-resolution-against-coursier.ts --classpath <folder of Resolve.class>:<coursier interface>:<slf4j>
 *         [--sets 30] [--seed 1] <folder with a build.sbt>…
 *
 * `Resolve` is tools/coursier-references/Resolve.java, compiled against Coursier's `interface` library. Prints a table
 * and below it every package that only one of the two has. Needs Java and the network; asks the repository that
 * Gatehouse asks by default.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { createPomBuilder } from '#analysis/ecosystems/jvm/effective-pom.ts'
import { createPomReads } from '#analysis/ecosystems/jvm/pom-reads.ts'
import { createPomSource } from '#analysis/ecosystems/jvm/pom-source.ts'
import { readBuild } from '#analysis/ecosystems/jvm/sbt/build.ts'
import { type Resolution, resolve } from '#analysis/ecosystems/jvm/sbt/coursier.ts'
import type { ManagementRules } from '#analysis/ecosystems/jvm/sbt/management.ts'
import {
  type Dependency,
  listProjectDependencies,
  type ProjectDependencies,
} from '#analysis/ecosystems/jvm/sbt/project-dependencies.ts'
import { readSentFiles } from '#analysis/ecosystems/jvm/sbt/sent-files.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { getDefaultRegistryUrl } from '#scanning/registries/default-registries.ts'
import { parseArtifactMetadata } from '#scanning/registries/maven/maven-metadata.ts'
import { decodePom } from '#scanning/registries/maven/pom-text.ts'

const { values: settings, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    classpath: { type: 'string', default: '.' },
    cache: { type: 'string', default: path.join(tmpdir(), 'gatehouse-maven-answers') },
    sets: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const base = getDefaultRegistryUrl('maven')
const SHOWN = 15
const management: ManagementRules = { reach: 'own', exclusions: 'added' }

const reader: MavenReader = {
  async pom({ group, artifact, version }) {
    const bytes = await fetchOnce(`${group.replaceAll('.', '/')}/${artifact}/${version}/${artifact}-${version}.pom`)
    return bytes && { text: decodePom(bytes), repository: base }
  },
  async versions({ group, artifact }) {
    const bytes = await fetchOnce(`${group.replaceAll('.', '/')}/${artifact}/maven-metadata.xml`)
    return bytes && parseArtifactMetadata(bytes)
  },
}
const reads = createPomReads(reader, { requested: [], declared: [], maxQueries: 1e6 })
const builder = createPomBuilder(createPomSource(reads))

async function fetchOnce(file: string): Promise<Buffer | undefined> {
  const kept = path.join(settings.cache, createHash('sha256').update(file).digest('hex'))
  const known = await readFile(kept).catch(() => undefined)
  if (known !== undefined) return known.length === 0 ? undefined : known
  const answer = await fetch(`${base}/${file}`)
  if (!answer.ok && answer.status !== 404) throw new RegistryUnreachable(`answered ${answer.status}`)
  const bytes = answer.ok ? Buffer.from(await answer.arrayBuffer()) : Buffer.alloc(0)
  await mkdir(settings.cache, { recursive: true })
  await writeFile(kept, bytes)
  return answer.ok ? bytes : undefined
}

/** One question to both. */
interface Question {
  readonly dependencies: readonly Dependency[]
  readonly forced: ReadonlyMap<string, string>
  readonly exclusions: ProjectDependencies['exclusions']
}

async function readFolder(folder: string) {
  const found = (await readdir(folder, { recursive: true })).filter((file) => /\.(?:sbt|scala|properties)$/.test(file))
  const [target = '', ...additional] = await Promise.all(
    ['build.sbt', ...found.filter((file) => file !== 'build.sbt').sort()].map((file) =>
      readFile(path.join(folder, file), 'utf8'),
    ),
  )
  const files = readSentFiles({ target, additional })
  const build = readBuild(files)
  const projects = listProjectDependencies(build, files)
  const unread =
    build.unread.length + new Set(projects.flatMap((each) => each.unresolved.map((one) => JSON.stringify(one)))).size
  return { files: found.length, projects, unread }
}

/** Without what no repository has, which Coursier refuses altogether. */
async function answerable({ dependencies, forced, exclusions }: Question): Promise<Question> {
  const product = dependencies.filter(({ kind }) => kind === 'product')
  const alone = await resolve(
    product.map((each) => ({ ...each, isTransitive: false })),
    { builder, reads, forced, exclusions: [], management, maxPackages: 1e5 },
  )
  const isThere = ({ group, artifact }: Dependency) => alone.chosen.get(`${group}:${artifact}`)?.pom !== undefined
  return { dependencies: product.filter(isThere), forced, exclusions }
}

function toLine({ dependencies, forced, exclusions }: Question): string {
  const words = dependencies.map(({ group, artifact, version, exclusions: own, isTransitive }) =>
    [
      `${group}:${artifact}:${version}`,
      ...own.map((each) => `${each.group}:${each.artifact}`),
      ...(isTransitive ? [] : ['-']),
    ].join('|'),
  )
  const pins = [...forced].map(([name, version]) => `=${name}:${version}`)
  return [...words, ...pins, ...exclusions.map((each) => `-${each.group}:${each.artifact}`)].join(' ')
}

function askCoursier(lines: readonly string[]): Promise<string[]> {
  return new Promise((done, fail) => {
    const limits = { maxBuffer: 1e8, timeout: 1_200_000 }
    const child = execFile(
      'java',
      ['-cp', settings.classpath, '-Dmanagement=own', 'Resolve', base],
      limits,
      (error, stdout) => (error === null ? done(stdout.trimEnd().split('\n')) : fail(error)),
    )
    child.stdin!.end(`${lines.join('\n')}\n`)
  })
}

interface Row {
  packages: number
  theirs: number
  onlyOurs: string[]
  onlyTheirs: string[]
  refused: string[]
  both: number
}

async function compare(questions: readonly Question[]): Promise<Row> {
  const asked = await Promise.all(questions.map(answerable))
  const answers = await askCoursier(asked.map(toLine))
  const row: Row = { packages: 0, theirs: 0, onlyOurs: [], onlyTheirs: [], refused: [], both: 0 }
  for (const [index, question] of asked.entries()) {
    const ours = await resolve(question.dependencies, { builder, reads, ...question, management, maxPackages: 1e5 })
    const answer = answers[index] ?? '! no answer'
    const own = namesIn(ours)
    row.packages += own.size
    if (answer.startsWith('!')) {
      row.refused.push(`${answer.slice(0, 200)} | ours: ${[...ours.problems.keys()].join(' ') || 'no problem'}`)
      continue
    }
    const theirs = new Set(answer.split(' ').filter((each) => each !== ''))
    row.theirs += theirs.size
    row.onlyOurs.push(...[...own].filter((each) => !theirs.has(each)))
    row.onlyTheirs.push(...[...theirs].filter((each) => !own.has(each)))
    row.both += [...own].filter((each) => theirs.has(each)).length
  }
  return row
}

function namesIn({ chosen }: Resolution): Set<string> {
  return new Set([...chosen.values()].map(({ name, version }) => `${name}:${version}`))
}

function* randoms(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield state / 2 ** 32
  }
}

/** Some direct dependencies of all builds together, some of them alone, excluded or pinned to another's version. */
function randomSets(pool: readonly Dependency[]): Question[] {
  const random = randoms(Number(settings.seed))
  const next = (below: number) => Math.floor(random.next().value * below)
  return Array.from({ length: Number(settings.sets) }, () => {
    const dependencies = Array.from({ length: 3 + next(6) }, () => pool[next(pool.length)]!).map((each) => ({
      ...each,
      kind: 'product' as const,
      isTransitive: next(10) > 0,
      exclusions: next(4) === 0 ? [{ group: pool[next(pool.length)]!.group, artifact: '*' }] : each.exclusions,
    }))
    const pinned = pool[next(pool.length)]!
    const forced = new Map(next(3) === 0 ? [[`${pinned.group}:${pinned.artifact}`, pinned.version ?? '']] : [])
    return { dependencies, forced, exclusions: [] }
  })
}

function print(name: string, cells: readonly (string | number)[], row: Row): string[] {
  const { packages, theirs, both, onlyOurs, onlyTheirs, refused } = row
  console.log(
    `| ${[name, ...cells, packages, theirs, both, onlyOurs.length, onlyTheirs.length, refused.length].join(' | ')} |`,
  )
  const list = (label: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${name}: ${label} (${items.length}): ${[...new Set(items)].slice(0, SHOWN).join(' ')}`]
  return [
    ...list('only ours', onlyOurs),
    ...list('only Coursier’s', onlyTheirs),
    ...list('refused by Coursier', refused),
  ]
}

console.log(
  '| build | files | projects | direct | not static | our packages | Coursier’s | same | only ours | only Coursier’s | refused |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|')
const details: string[] = []
const pool: Dependency[] = []
for (const folder of folders) {
  const { files, projects, unread } = await readFolder(folder)
  const direct = new Map(
    projects.flatMap(({ dependencies }) =>
      dependencies.map((each) => [`${each.group}:${each.artifact}:${each.version}`, each]),
    ),
  )
  pool.push(...[...direct.values()].filter(({ version }) => version !== undefined))
  const row = await compare(projects)
  details.push(...print(path.basename(folder), [files, projects.length, direct.size, unread], row))
}
if (pool.length > 0) {
  const sets = randomSets(pool)
  details.push(...print('at random', ['', sets.length, pool.length, ''], await compare(sets)))
}
console.log(details.join('\n'))
