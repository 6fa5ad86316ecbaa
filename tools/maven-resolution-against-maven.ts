/**
 * Holds our resolution of POMs against Maven's own: `mvn dependency:tree` for every module of a project, against what we
 * resolve from the same files.
 *
 *     node tools/maven-resolution-against-maven.ts [--local <repository>] [--seconds 600] <folder with POMs>…
 *
 * Prints a table and, below it, every package that only one of the two has. What Maven has fetched is read from its local
 * repository, the rest from the repository that Gatehouse asks by default. Needs Maven, a JDK and the network.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { maven } from '#analysis/ecosystems/jvm/maven/index.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import { readerOfAnswers } from './maven-answers.ts'

const { values: settings, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    local: { type: 'string', default: path.join(homedir(), '.m2/repository') },
    seconds: { type: 'string', default: '600' },
  },
})
const run = promisify(execFile)
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:tree'
const TREE = 'gatehouse-tree.tgf'
const SHOWN = 40

interface Theirs {
  readonly packages: ReadonlySet<string>
  readonly modules: number
  readonly failures: readonly string[]
}

async function compare(folder: string): Promise<{ row: string; details: string[] }> {
  const name = path.basename(folder)
  const files = await pomsIn(folder)
  const [target = '', ...additional] = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const theirs = await askMaven(folder)
  const started = performance.now()
  const registries = { maven: readerOfAnswers(settings.local) } as Registries
  const options = { includeDev: true, repositories: [], limits: { maxNodes: 50_000 } }
  const ours = await maven.read({ target, additional }, registries, options)
  const milliseconds = Math.round(performance.now() - started)
  const own = packagesOf(ours)
  const onlyOurs = [...own].filter((each) => !theirs.packages.has(each)).sort()
  const onlyTheirs = [...theirs.packages].filter((each) => !own.has(each)).sort()
  const cells = [
    name,
    files.length,
    `${theirs.modules}`,
    own.size,
    theirs.packages.size,
    onlyOurs.length,
    onlyTheirs.length,
    ours.unresolved.length,
    milliseconds,
  ]
  const unresolved = ours.unresolved.map(
    (each) => `${each.name}@${each.range} ${each.code} (${each.requiredBy}): ${each.reason}`,
  )
  return {
    row: `| ${cells.join(' | ')} |`,
    details: [
      ...list(`${name}: only ours`, onlyOurs),
      ...list(`${name}: only Maven's`, onlyTheirs),
      ...list(`${name}: named as unresolved`, unresolved),
      ...list(`${name}: Maven failed`, theirs.failures),
    ],
  }
}

function list(label: string, items: readonly string[]): string[] {
  return items.length === 0
    ? []
    : [`${label} (${items.length}):`, ...items.slice(0, SHOWN).map((item) => `    ${item}`)]
}

function packagesOf({ graph }: Reading): Set<string> {
  return new Set(graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`))
}

/** Nearest to the folder first, so that the project's own POM leads. */
async function pomsIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true })
  const files = found.filter((file) => path.basename(file) === 'pom.xml')
  files.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
  return files.map((file) => path.join(folder, file))
}

async function askMaven(folder: string): Promise<Theirs> {
  const copy = await mkdtemp(path.join(tmpdir(), 'maven-resolution-'))
  try {
    await cp(folder, copy, { recursive: true })
    await run('chmod', ['-R', 'u+w', copy])
    const flags = [
      '-B',
      '-fn',
      '-q',
      `-Dmaven.repo.local=${settings.local}`,
      PLUGIN,
      '-DoutputType=tgf',
      `-DoutputFile=${TREE}`,
    ]
    const limits = { cwd: copy, timeout: Number(settings.seconds) * 1000, maxBuffer: 1e8 }
    const { stdout } = await run('mvn', flags, limits).catch((error) => error as { stdout: string })
    const failures = stdout
      .split('\n')
      .filter((line) => /ERROR.*(?:Failed to|Could not|Non-resolvable|missing)/.test(line))
    const trees = (await readdir(copy, { recursive: true })).filter((file) => path.basename(file) === TREE)
    const lines = await Promise.all(
      trees.map(async (tree) => toPackages(await readFile(path.join(copy, tree), 'utf8'))),
    )
    return {
      packages: new Set(lines.flat()),
      modules: trees.length,
      failures: failures.map((line) => line.slice(0, 300)),
    }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Lines `<id> group:artifact:type[:classifier]:version:scope` above the `#`; the first is the module itself. */
function toPackages(tree: string): string[] {
  const nodes = tree.split('\n#')[0]!.split('\n').slice(1)
  return nodes.flatMap((line) => {
    const [group, artifact, , ...rest] = (line.split(' ')[1] ?? '').split(':')
    return rest.length < 2 ? [] : [`${group}:${artifact}@${rest.at(-2)}`]
  })
}

console.log('| project | POMs | trees of Maven | our packages | Maven’s | only ours | only Maven’s | unresolved | ms |')
console.log('|---|---|---|---|---|---|---|---|---|')
const details: string[] = []
for (const folder of folders) {
  const compared = await compare(folder)
  console.log(compared.row)
  details.push(...compared.details)
}
console.log(details.join('\n'))
