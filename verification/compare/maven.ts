import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import type { Reading } from '../../src/analysis/ecosystems/ecosystem.ts'
import { maven } from '../../src/analysis/ecosystems/jvm/maven/index.ts'
import type { Registries } from '../../src/analysis/registries/registries.ts'
import { type RandomProject, randomMavenProject } from '../../test/support/manifests/random-maven-project.ts'
import { mavenReaderOf } from '../../test/support/registries/maven-content.ts'
import { toPomXml } from '../../test/support/registries/short-poms.ts'
import {
  type Answers,
  type Compared,
  type CompareSettings,
  type Comparison,
  compareAnswers,
  firstOf,
  needsCommand,
  needsProjects,
  needsRegistries,
  toCompared,
} from './comparison.ts'
import { readerOfAnswers } from './maven-answers.ts'
import { compareEach, filesOf, inCopy, options, packagesOf, readManifest, readText } from './projects.ts'

const LONGEST_MS = 600_000
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:tree'
const TREE = 'gatehouse-tree.tgf'
const localRepository = path.join(homedir(), '.m2/repository')

export function mavenComparisons(settings: CompareSettings): Comparison[] {
  const needsMaven = needsCommand('Maven', 'mvn', '--version')
  return [
    {
      ecosystem: 'maven',
      what: 'resolution of pom.xml',
      reference: 'mvn dependency:tree',
      missing: firstOf(needsProjects('maven'), needsMaven, needsRegistries(settings)),
      run: () => compareEach(path.join(settings.manifests, 'maven'), againstTree),
    },
    {
      ecosystem: 'maven',
      what: 'resolution of random POMs',
      reference: "Maven's resolver",
      missing: firstOf(needsMaven, needsCommand('a JDK', 'javac', '--version')),
      run: () => compareWorlds(settings),
    },
  ]
}

/** Maven fetches into its local repository; we read that first. */
async function againstTree(folder: string, project: string): Promise<Compared> {
  const files = filesOf(folder, /^pom\.xml$/)
  const { expected, failures } = await inCopy(folder, (copy) => {
    const flags = [`-Dmaven.repo.local=${localRepository}`, PLUGIN, '-DoutputType=tgf', `-DoutputFile=${TREE}`]
    const limits = { cwd: copy, timeout: LONGEST_MS, maxBuffer: 1e8, encoding: 'utf8' } as const
    const { stdout } = spawnSync('mvn', ['-B', '-fn', '-q', ...flags], limits)
    const isFailure = (line: string) => /ERROR.*(?:Failed to|Could not|Non-resolvable|missing)/.test(line)
    const trees = filesOf(copy, new RegExp(`^${TREE}$`)).map((tree) => readText(copy, tree))
    return { expected: new Set(trees.flatMap(packagesOfTree)), failures: stdout.split('\n').filter(isFailure) }
  })
  const registries = { maven: readerOfAnswers(localRepository) } as Registries
  const own = packagesOf(await maven.read(readManifest(folder, files), registries, options))
  const compared = toCompared(project, files.length, { packages: own.size, own, expected })
  return failures.length === 0 ? compared : { ...compared, note: `Maven failed: ${failures[0]!.slice(0, 300)}` }
}

/** Lines `<id> group:artifact:type[:classifier]:version:scope` above the `#`; the first is the module itself. */
function packagesOfTree(tree: string): string[] {
  const nodes = tree.split('\n#')[0]!.split('\n').slice(1)
  return nodes.flatMap((line) => {
    const [group, artifact, , ...rest] = (line.split(' ')[1] ?? '').split(':')
    return rest.length < 2 ? [] : [`${group}:${artifact}@${rest.at(-2)}`]
  })
}

/** Both resolve random projects with all packages, and without those for tests; circles are left out. */
async function compareWorlds({ worlds, seed, mavenLibraries }: CompareSettings): Promise<Compared[]> {
  const projects = fc.sample(randomMavenProject('none'), { seed, numRuns: worlds })
  const expected = askResolver(projects, mavenLibraries)
  const answers: Answers[] = []
  for (const [index, project] of projects.entries()) {
    const line = expected[index] ?? '! no answer'
    const { text, isWhole } = await resolve(project)
    // If Maven refuses a project, our result must not be complete.
    const own = line.startsWith('!') && !isWhole ? line : text
    answers.push({ question: show(project), own, expected: line.startsWith('!') ? line : toAnswer(line) })
  }
  return [compareAnswers(`seed ${seed}`, answers)]
}

function askResolver(projects: readonly RandomProject[], libraries: string): string[] {
  const workshop = mkdtempSync(path.join(tmpdir(), 'maven-random-'))
  try {
    const classPath = `${libraries}/*:${workshop}`
    const source = path.join(import.meta.dirname, 'maven-references/Collect.java')
    execFileSync('javac', ['-nowarn', '-cp', classPath, '-d', workshop, source], { stdio: 'ignore' })
    const repository = path.join(workshop, 'repository')
    const coordinates = projects.map((project, index) => publish(repository, project, String(index)))
    const input = `${coordinates.join('\n')}\n`
    const limits = { input, encoding: 'utf8', maxBuffer: 2 ** 28 } as const
    const { status, stdout, stderr } = spawnSync('java', ['-cp', classPath, 'Collect', repository], limits)
    if (status !== 0) throw new Error(`Maven's resolver failed: ${stderr.slice(0, 2_000)}`)
    const lines = stdout.trimEnd().split('\n')
    return lines.map((line, index) => line.replaceAll(`g${index}:`, 'g:'))
  } finally {
    rmSync(workshop, { recursive: true })
  }
}

/** Publishes a project with groups of its own, so that all projects fit into one repository. */
function publish(repository: string, { target, content }: RandomProject, suffix: string): string {
  const own = (text: string) => text.replaceAll(/\bg\b/g, `g${suffix}`)
  const published: Record<string, object> = { 'g:project:1': target, ...content }
  const versions = new Map<string, string[]>()
  for (const [name, pom] of Object.entries(published)) {
    const [group = '', artifact = '', version = ''] = own(name).split(':')
    const folder = path.join(repository, group, artifact, version)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, `${artifact}-${version}.pom`), own(toPomXml(name, pom)))
    versions.set(`${group}/${artifact}`, [...(versions.get(`${group}/${artifact}`) ?? []), version])
  }
  for (const [artifact, artifactVersions] of versions) {
    const list = artifactVersions.map((version) => `<version>${version}</version>`).join('')
    const metadata = `<metadata><versioning><versions>${list}</versions></versioning></metadata>`
    writeFileSync(path.join(repository, artifact, 'maven-metadata-local.xml'), metadata)
  }
  return own('g:project:1')
}

async function resolve({ target, content }: RandomProject): Promise<{ text: string; isWhole: boolean }> {
  const registries = { maven: mavenReaderOf(content) } as Registries
  const manifest = { target: toPomXml('g:project:1', target), additional: [] }
  const limits = { repositories: [], limits: { maxNodes: 5_000 } }
  const all = await maven.read(manifest, registries, { ...limits, includeDev: true })
  const some = await maven.read(manifest, registries, { ...limits, includeDev: false })
  const list = ({ graph }: Reading) =>
    graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}:${version}`)
  return { text: toText(list(all), list(some)), isWhole: all.unresolved.length === 0 }
}

/** Parses `group:artifact:version:classifier:scope`. */
function toAnswer(line: string): string {
  const entries = line === '' ? [] : line.split(' ').map((entry) => entry.split(':'))
  const list = (kept: string[][]) => kept.map((entry) => entry.slice(0, 3).join(':'))
  return toText(list(entries), list(entries.filter((entry) => entry[4] !== 'test')))
}

function toText(all: readonly string[], withoutTests: readonly string[]): string {
  const list = (packages: readonly string[]) => [...new Set(packages)].sort().join(' ')
  return `${list(all)}; without tests: ${list(withoutTests)}`
}

function show({ target, content }: RandomProject): string {
  const lines = Object.entries(content).map(([name, pom]) => `${name} ${JSON.stringify(pom)}`)
  return [`target ${JSON.stringify(target)}`, ...lines].join('\n  ')
}
