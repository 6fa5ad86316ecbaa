/**
 * Compares our resolution of real Gradle projects with the versions in their own locks:
 *
 *     node tools/gradle-resolution-against-locks.ts <folder of a project>…
 *
 * Prints a row for each project. Below it, for every module with a dependencies.lock, how many packages have the
 * version that Gradle locked, when only the direct dependencies are pinned as they were then; the rest is printed with
 * both versions. Needs the network.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { gradle } from '#analysis/ecosystems/jvm/gradle/index.ts'
import { readSentFiles } from '#analysis/ecosystems/jvm/gradle/sent-files.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import { readerOfAnswers } from './maven-answers.ts'

interface LockedModule {
  readonly locked?: string
  /** A project of the same build. */
  readonly project?: boolean
  readonly transitive?: readonly string[]
}

const registries = { maven: readerOfAnswers(undefined) } as Registries
const options = { includeDev: false, repositories: [], limits: { maxNodes: 50_000 } }
const isScript = (file: string) => /\.gradle(?:\.kts)?$/.test(file)
const isCompanion = (file: string) => /(?:\.versions\.toml|gradle\.properties|gradle\.lockfile)$/.test(file)

async function row(folder: string): Promise<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => isScript(file) || isCompanion(file),
  )
  const isRoot = (file: string) => /^build\.gradle(?:\.kts)?$/.test(file)
  files.sort((a, b) => Number(isRoot(b)) - Number(isRoot(a)) || (a < b ? -1 : 1))
  const [target = '', ...additional] = files.map((file) => readFileSync(path.join(folder, file), 'utf8'))
  const { facts } = readSentFiles({ target, additional })
  const declared = facts.dependencies.filter(({ kind, isBuild }) => kind === 'dependency' && !isBuild)
  const reading = await gradle.read({ target, additional }, registries, options)
  const open = Object.entries(Object.groupBy(reading.unresolved, ({ code }) => code)).map(
    ([code, all]) => `${code} ${all?.length}`,
  )
  const cells = [
    path.basename(folder),
    files.length,
    declared.length,
    facts.unread.length,
    packagesOf(reading).size,
    open.join(', '),
  ]
  return `| ${cells.join(' | ')} |`
}

function packagesOf({ graph }: Reading): Map<string, string> {
  return new Map(graph.nodes.slice(1).map(({ package: { name, version } }) => [name, version]))
}

async function againstLock(folder: string, module: string): Promise<string[]> {
  const lock = JSON.parse(readFileSync(path.join(folder, module, 'dependencies.lock'), 'utf8'))
  const entries = Object.entries<LockedModule>(lock.runtimeClasspath ?? lock.runtime ?? {})
  const locked = entries.filter(([, about]) => about.locked)
  const direct = locked.filter(([, { transitive }]) => transitive === undefined)
  const pins = direct.map(([name, about]) => `${name}:${about.locked}=runtimeClasspath`)
  const header = '# This is a Gradle generated file for dependency locking.'
  const projects = entries
    .filter(([, about]) => about.project)
    .map(([name]) => path.join(name.split(':')[1]!, 'build.gradle'))
  const others = ['build.gradle', 'gradle.properties', ...projects]
    .map((file) => path.join(folder, file))
    .filter(existsSync)
  const additional = [...others.map((file) => readFileSync(file, 'utf8')), [header, ...pins].join('\n')]
  const target = readFileSync(path.join(folder, module, 'build.gradle'), 'utf8')
  const ours = packagesOf(await gradle.read({ target, additional }, registries, options))
  const shared = locked.filter(([name]) => ours.has(name))
  const different = shared.filter(([name, about]) => ours.get(name) !== about.locked)
  const absent = locked.filter(([name]) => !ours.has(name))
  return [
    `${module}: ${shared.length - different.length} of ${shared.length} as locked; ${absent.length} only in the lock`,
    ...different.map(([name, about]) => `    ${name}: locked ${about.locked}, ours ${ours.get(name)}`),
    ...absent.map(([name, about]) => `    ${name}: only locked, by ${about.transitive?.join(', ').slice(0, 120)}`),
  ]
}

console.log(
  '| project | files | declared | not static | packages of the product | unresolved |\n|---|---|---|---|---|---|',
)
const details: string[] = []
for (const folder of process.argv.slice(2)) {
  console.log(await row(folder))
  for (const module of readdirSync(folder)) {
    const files = ['dependencies.lock', 'build.gradle'].map((file) => path.join(folder, module, file))
    if (files.every(existsSync)) details.push(...(await againstLock(folder, module)))
  }
}
console.log(details.join('\n'))
