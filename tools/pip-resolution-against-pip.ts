/**
 * Compares our resolution of requirement files with pip's: the packages that `pip install --dry-run --report` would
 * install for each file in a fresh environment.
 *
 *     node tools/pip-resolution-against-pip.ts --python <python3 with pip> [--seconds 600] [--allow <network>]
 *       [--drop <regular expression>] <requirements file>…
 *
 * Files that a requirements file refers to are read beside it. Lines that --drop matches are left out on both sides,
 * for example those for the project itself, which only stands beside its files in its own repository. Prints a table
 * and, below it, every package that only one of the two has. pip's answers are kept in the folder for temporary files,
 * the registry's in a database there. Needs the registry that Gatehouse asks by default; where that is reached by an
 * address that is not public, --allow names its network.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { toProjectName } from '#analysis/ecosystems/python/packaging/project-name.ts'
import { pip } from '#analysis/ecosystems/python/pip/index.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { createPyPiRegistry } from '#scanning/registries/pypi/pypi-registry.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { cacheIn } from '#test/registries/registry-cache.ts'

const { values: settings, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    cache: { type: 'string', default: path.join(tmpdir(), 'gatehouse-pip-answers') },
    seconds: { type: 'string', default: '600' },
    allow: { type: 'string', multiple: true, default: [] },
    drop: { type: 'string' },
  },
})
const run = promisify(execFile)
const SHOWN = 40

interface Theirs {
  readonly packages: readonly string[]
  readonly failure: string
}

interface PipReport {
  readonly install: readonly { readonly metadata: { readonly name: string; readonly version: string } }[]
}

/** Returns pip's resolution, or its last message on failure. */
async function askPip(file: string, sent: ReadonlyMap<string, string>): Promise<Theirs> {
  const version = await pythonVersion()
  const contents = [...sent.values()].join('\n')
  const key = createHash('sha256').update(`${version}\n${file}\n${contents}`).digest('hex')
  const kept = path.join(settings.cache, `${key}.json`)
  const known = await readFile(kept, 'utf8').catch(() => undefined)
  if (known !== undefined) return JSON.parse(known) as Theirs
  const folder = await mkdtemp(path.join(tmpdir(), 'pip-'))
  for (const [name, text] of sent) {
    const copy = path.join(folder, name)
    await mkdir(path.dirname(copy), { recursive: true })
    await writeFile(copy, text)
  }
  const answer = await runPip(path.join(folder, file))
  await rm(folder, { recursive: true })
  await writeFile(kept, JSON.stringify(answer))
  return answer
}

async function runPip(file: string): Promise<Theirs> {
  const flags = ['--dry-run', '--ignore-installed', '--no-input', '--quiet', '--report', '-', '-r', path.basename(file)]
  try {
    const { stdout } = await run(settings.python, ['-m', 'pip', 'install', ...flags], {
      cwd: path.dirname(file),
      timeout: Number(settings.seconds) * 1_000,
      maxBuffer: 1e9,
    })
    const { install } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as PipReport
    return {
      packages: install.map(({ metadata }) => `${toProjectName(metadata.name)}@${metadata.version}`),
      failure: '',
    }
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    const lines = output.split('\n').filter((line) => /^\s*(?:error|ERROR)/.test(line))
    return { packages: [], failure: (lines.at(-1) ?? String(error)).trim().slice(0, 200) }
  }
}

async function pythonVersion(): Promise<string> {
  const { stdout } = await run(settings.python, ['-c', 'import platform; print(platform.python_version())'])
  return stdout.trim()
}

/** Collects a requirement file and the files that it refers to, in the order of their first reference. */
async function withReferences(file: string, seen: Map<string, string>): Promise<void> {
  if (seen.has(file)) return
  const whole = await readFile(file, 'utf8').catch(() => undefined)
  if (whole === undefined) return
  const dropped = settings.drop === undefined ? undefined : new RegExp(settings.drop)
  const contents = dropped ? whole.replace(/^.*$/gm, (line) => (dropped.test(line) ? '' : line)) : whole
  seen.set(file, contents)
  for (const [, reference] of contents.matchAll(/^\s*(?:-r|-c|--requirement|--constraint)[ =]?(\S+)/gm)) {
    await withReferences(path.join(path.dirname(file), reference!), seen)
  }
}

const database = await openCache()
const outgoing = createOutgoing({ allow: settings.allow })
const pypi = createPyPiRegistry(
  { cache: cacheIn(database.db, () => Date.now()), outgoing, now: () => Date.now() },
  { maxAgeMs: 24 * 3_600_000 },
)

async function openCache() {
  const dataDir = path.join(settings.cache, 'database')
  await mkdir(dataDir, { recursive: true })
  const opened = openDatabase({ url: undefined, dataDir, maxConnections: 2, onError: () => {} })
  await migrate(opened)
  return opened
}

async function compare(file: string): Promise<{ row: string; details: string[] }> {
  const name = `${path.basename(path.dirname(file))}/${path.basename(file)}`
  const sent = new Map<string, string>()
  await withReferences(file, sent)
  const [target = '', ...others] = sent.values()
  const [, ...paths] = sent.keys()
  const additional = others.map(
    (contents, at) => `# file: ${path.relative(path.dirname(file), paths[at]!)}\n${contents}`,
  )
  const theirs = await askPip(file, sent)
  const started = performance.now()
  const ours = await pip.read({ target, additional }, registriesOf({ pypi }), {
    includeDev: true,
    repositories: [],
    python: { version: await pythonVersion(), platform: 'linux' },
    limits: { maxNodes: 50_000 },
  })
  const milliseconds = Math.round(performance.now() - started)
  const own = packagesOf(ours)
  const their = new Set(theirs.packages.map(withPlainVersion))
  const onlyOurs = [...own].filter((each) => !their.has(each)).sort()
  const onlyTheirs = [...their].filter((each) => !own.has(each)).sort()
  const hasAnswer = theirs.failure === ''
  const cells = [
    name,
    sent.size,
    own.size,
    hasAnswer ? their.size : 'refuses',
    hasAnswer ? onlyOurs.length : '',
    hasAnswer ? onlyTheirs.length : '',
    ours.unresolved.length,
    ours.locked ? 'locked' : 'resolved',
    milliseconds,
  ]
  const unresolved = ours.unresolved.map(
    (each) => `${each.name} ${each.range} ${each.code} (${each.requiredBy} ${each.line ?? ''}): ${each.reason}`,
  )
  return {
    row: `| ${cells.join(' | ')} |`,
    details: [
      ...list(`${name}: only ours`, hasAnswer ? onlyOurs : []),
      ...list(`${name}: only pip's`, onlyTheirs),
      ...list(`${name}: named`, unresolved),
      ...list(`${name}: pip refuses`, hasAnswer ? [] : [theirs.failure]),
    ],
  }
}

function packagesOf({ graph }: Reading): Set<string> {
  return new Set(graph.nodes.slice(1).map(({ package: { name, version } }) => withPlainVersion(`${name}@${version}`)))
}

/** Returns the normalized version: pip reports the spelling in the metadata, from which files may differ. */
function withPlainVersion(text: string): string {
  const [name = '', version = ''] = text.split('@')
  return `${name}@${version
    .replace(/^v/, '')
    .replace(/[-_.]?(a|b|rc|post|dev)[-_.]?(\d)/g, '$1$2')
    .replace(/(?:\.0)+$/, '')}`
}

function list(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const more = items.length > SHOWN ? [`  … and ${items.length - SHOWN} more`] : []
  return [`${title}: ${items.length}`, ...items.slice(0, SHOWN).map((each) => `  ${each}`), ...more]
}

const rows: string[] = []
const details: string[] = []
for (const file of files) {
  const compared = await compare(path.resolve(file))
  rows.push(compared.row)
  details.push(...compared.details)
  process.stderr.write(`${compared.row}\n`)
}
console.log('| file | files | packages | pip | only ours | only pip | named | | ms |')
console.log('|---|---|---|---|---|---|---|---|---|')
console.log([...rows, '', ...details].join('\n'))
await outgoing.close()
await database.close()
