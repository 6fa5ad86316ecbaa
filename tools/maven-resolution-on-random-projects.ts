/**
 * Compares our resolution of POMs with Maven's resolver on random repositories, generated from a seed:
 *
 *     node tools/maven-resolution-on-random-projects.ts [--projects 2000] [--seed 1] [--circles] [--libraries <folder>]
 *
 * Needs Maven and a JDK, no network. Prints the first projects that differ, with the POMs they are made of, and fails
 * when there are any.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { maven } from '#analysis/ecosystems/jvm/maven/index.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import { type RandomProject, randomMavenProject } from '#test/manifests/random-maven-project.ts'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { toPomXml } from '#test/registries/short-poms.ts'

const { values: options } = parseArgs({
  options: {
    projects: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    circles: { type: 'boolean', default: false },
    libraries: { type: 'string', default: '/usr/share/maven/lib' },
  },
})
const SHOWN = 5
const workshop = mkdtempSync(path.join(tmpdir(), 'maven-random-'))
process.on('exit', () => rmSync(workshop, { recursive: true }))

/** Each project has groups of its own, so that all of them fit into one repository. */
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
  for (const [artifact, each] of versions) {
    const list = each.map((version) => `<version>${version}</version>`).join('')
    const metadata = `<metadata><versioning><versions>${list}</versions></versioning></metadata>`
    writeFileSync(path.join(repository, artifact, 'maven-metadata-local.xml'), metadata)
  }
  return own('g:project:1')
}

function askMaven(projects: readonly RandomProject[]): string[] {
  const classes = path.join(workshop, 'classes')
  const classPath = `${options.libraries}/*:${classes}`
  mkdirSync(classes)
  const source = path.join(import.meta.dirname, 'maven-references/Collect.java')
  execFileSync('javac', ['-nowarn', '-cp', classPath, '-d', classes, source], { stdio: 'ignore' })
  const repository = path.join(workshop, 'repository')
  const coordinates = projects.map((project, index) => publish(repository, project, String(index)))
  const run = spawnSync('java', ['-cp', classPath, 'Collect', repository], {
    input: `${coordinates.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (run.status !== 0) throw new Error(`Maven's resolver failed: ${run.stderr.slice(0, 2_000)}`)
  return run.stdout
    .trimEnd()
    .split('\n')
    .map((line, index) => line.replaceAll(`g${index}:`, 'g:'))
}

interface Answer {
  readonly packages: string
  readonly withoutTests: string
}

async function askOurselves({ target, content }: RandomProject): Promise<Answer & { isWhole: boolean }> {
  const registries = { maven: mavenReaderOf(content) } as Registries
  const manifest = { target: toPomXml('g:project:1', target), additional: [] }
  const options = { repositories: [], limits: { maxNodes: 5_000 } }
  const [all, some] = await Promise.all(
    [true, false].map((includeDev) => maven.read(manifest, registries, { ...options, includeDev })),
  )
  const list = ({ graph }: Reading) =>
    toList(graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}:${version}`))
  return { packages: list(all!), withoutTests: list(some!), isWhole: all!.unresolved.length === 0 }
}

/** Parses `group:artifact:version:classifier:scope`. */
function toAnswer(line: string): Answer {
  const entries = line === '' ? [] : line.split(' ').map((entry) => entry.split(':'))
  const list = (kept: string[][]) => toList(kept.map((entry) => entry.slice(0, 3).join(':')))
  return { packages: list(entries), withoutTests: list(entries.filter((entry) => entry[4] !== 'test')) }
}

function toList(packages: readonly string[]): string {
  return [...new Set(packages)].sort().join(' ')
}

function isEqual(a: Answer, b: Answer): boolean {
  return a.packages === b.packages && a.withoutTests === b.withoutTests
}

/** Only the packages that may play a part, one a line. */
function show({ target, content }: RandomProject): string {
  const lines = Object.entries(content).map(([name, pom]) => `${name} ${JSON.stringify(pom)}`)
  return [`target ${JSON.stringify(target)}`, ...lines].join('\n  ')
}

const projects = fc.sample(randomMavenProject(options.circles ? 'some' : 'none'), {
  seed: Number(options.seed),
  numRuns: Number(options.projects),
})
const theirs = askMaven(projects)
const counts = { equal: 0, refused: 0, different: 0, packages: 0 }
for (const [index, project] of projects.entries()) {
  const line = theirs[index] ?? '! no answer'
  const ours = await askOurselves(project)
  if (line.startsWith('!')) {
    // If Maven refuses a project, our result must not be complete.
    counts.refused++
    if (!ours.isWhole) continue
  } else if (isEqual(toAnswer(line), ours)) {
    counts.equal++
    counts.packages += ours.packages.split(' ').length
    continue
  }
  if (counts.different++ >= SHOWN) continue
  const shown = `  Maven: ${line}\n  ours:  ${ours.packages}\n  without tests: ${ours.withoutTests}`
  console.log(`project ${index}\n${shown}\n  ${show(project)}`)
}
console.log(JSON.stringify({ projects: projects.length, ...counts }))
process.exitCode = counts.different === 0 ? 0 : 1
