/**
 * Compares how we read and resolve the projects of a corpus with the tools that wrote them, in one table. `npm run
 * corpus` makes one; CORPUS names the folder of another:
 *
 *     npm run compare -- [--registries] [--only npm,yarn] [--yarns <folder>] [--pnpms <folder>] [--bun <path>]
 *                        [--osv-scanner <path>] [--python-tools <bin folder>] [--python python3] [--coursier <classpath>]
 *                        [--maven-artifact <jar>] [--maven-libraries <folder>] [--worlds 100] [--pairs 100000] [--seed 1]
 *                        [--allow <network>] [--installs 20] [--bill-tools <folder> [--bills 6]] [--details]
 *
 * A reference that is not installed is left out, with the reason. `--registries` adds what the real tools resolve with
 * the real registries, which takes an hour; with `--installs` npm installs only so many projects, the smallest.
 * `--yarns` names a folder with `node_modules/yarn-lock-<version>` (aliases of @yarnpkg/cli-dist); default: that of the
 * corpus. `--pnpms` names one with `node_modules/pnpm-lock-<version>` (aliases of pnpm), `--bill-tools` a folder with
 * cdxgen, syft, cyclonedx-py and cyclonedx-npm, `--python-tools` the `bin` of a virtual environment with Poetry, uv and
 * Pipenv; of several environments, the first whose Python a project accepts is used. Known differences are listed with
 * their reasons in known-differences.json; the exit code is 1 if there are others.
 */
import path from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { corpusFolder, corpusLacks } from '../corpus/folder.ts'
import { billProducerComparisons } from './bill-producers.ts'
import type { Compared, CompareSettings, Comparison } from './comparison.ts'
import { composerComparisons } from './composer.ts'
import { folderComparisons } from './folder-comparisons.ts'
import { goComparisons } from './go.ts'
import { gradleComparisons } from './gradle.ts'
import { javascriptToolComparisons } from './javascript-tools.ts'
import { explain } from './known-differences.ts'
import { mavenComparisons } from './maven.ts'
import { npmComparisons } from './npm.ts'
import { osvScannerComparisons } from './osv-scanner.ts'
import { pipComparisons } from './pip.ts'
import { pythonRandomComparisons } from './python-random.ts'
import { pythonToolComparisons } from './python-tools.ts'
import { rubygemsComparisons } from './rubygems.ts'
import { sbtComparisons } from './sbt.ts'
import { versionComparisons } from './versions.ts'
import { yarnComparisons } from './yarn.ts'

const adapters: readonly ((settings: CompareSettings) => Comparison[])[] = [
  ...[
    npmComparisons,
    yarnComparisons,
    javascriptToolComparisons,
    rubygemsComparisons,
    goComparisons,
    composerComparisons,
  ],
  ...[pipComparisons, pythonRandomComparisons, pythonToolComparisons, mavenComparisons, gradleComparisons],
  ...[sbtComparisons, osvScannerComparisons, billProducerComparisons, versionComparisons, folderComparisons],
]
const { values: options } = parseArgs({
  options: {
    registries: { type: 'boolean', default: false },
    only: { type: 'string' },
    yarns: { type: 'string' },
    pnpms: { type: 'string' },
    bun: { type: 'string' },
    'python-tools': { type: 'string', multiple: true, default: [] },
    'osv-scanner': { type: 'string' },
    coursier: { type: 'string' },
    'maven-artifact': { type: 'string', default: '/usr/share/java/maven-artifact-3.x.jar' },
    'maven-libraries': { type: 'string', default: '/usr/share/maven/lib' },
    python: { type: 'string', default: 'python3' },
    worlds: { type: 'string', default: '100' },
    pairs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    allow: { type: 'string', multiple: true, default: [] },
    installs: { type: 'string', default: '1000' },
    'bill-tools': { type: 'string' },
    bills: { type: 'string', default: '6' },
    details: { type: 'boolean', default: false },
  },
})
const SHOWN = 10
const settings: CompareSettings = {
  manifests: path.join(corpusFolder, 'manifests'),
  yarns: options.yarns ?? ofCorpus('yarns'),
  pnpms: options.pnpms ?? ofCorpus('javascript-tools'),
  bun: options.bun ?? bunOfCorpus(),
  python: options.python,
  pythonTools: options['python-tools'],
  osvScanner: options['osv-scanner'],
  billTools: options['bill-tools'],
  bills: toCount('bills'),
  coursier: options.coursier,
  mavenArtifact: options['maven-artifact'],
  mavenLibraries: options['maven-libraries'],
  mayAskRegistries: options.registries,
  allow: options.allow,
  installs: toCount('installs'),
  worlds: toCount('worlds'),
  pairs: toCount('pairs'),
  seed: toCount('seed'),
}

interface Tally {
  readonly notes: string[]
  readonly reasons: Map<string, number>
  unexplained: number
}

async function main(): Promise<void> {
  const tally: Tally = { notes: [], reasons: new Map(), unexplained: 0 }
  const ecosystems = options.only?.split(',')
  const all = adapters
    .flatMap((adapter) => adapter(settings))
    .filter(({ ecosystem }) => ecosystems?.includes(ecosystem) ?? true)
  console.log(
    '| ecosystem | compared | reference | projects | files | packages | lines | only ours | only theirs | explained | left |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|')
  for (const comparison of all) console.log(await rowOf(comparison, tally))
  for (const [reason, count] of tally.reasons) console.log(`${count} lines: ${reason}`)
  console.log(tally.notes.join('\n'))
  process.exitCode = tally.unexplained === 0 ? 0 : 1
}

async function rowOf(comparison: Comparison, tally: Tally): Promise<string> {
  const { ecosystem, what, reference } = comparison
  const missing = comparison.missing()
  if (missing !== undefined)
    return styleText('yellow', `| ${ecosystem} | ${what} | ${reference} | skipped: ${missing} |`)
  const compared = await comparison.run()
  const sum = (count: (one: Compared) => number) => compared.reduce((total, one) => total + count(one), 0)
  const left = sum((one) => judge(comparison, one, tally))
  const [own, expected] = [sum(({ onlyOurs }) => onlyOurs.length), sum(({ onlyTheirs }) => onlyTheirs.length)]
  tally.unexplained += left
  const cells = [
    ...[ecosystem, what, reference, compared.length, sum(({ files }) => files), sum(({ packages }) => packages)],
    ...[sum(({ lines }) => lines), own, expected, own + expected - left, left],
  ]
  return `| ${cells.join(' | ')} |`
}

/** Counts unexplained differences. */
function judge({ ecosystem, reference, what }: Comparison, compared: Compared, tally: Tally): number {
  const { project, onlyOurs, onlyTheirs, note } = compared
  const lines = [...onlyOurs, ...onlyTheirs]
  const { byReason, unexplained, outdated } = explain({ ecosystem, reference, project, lines })
  const at = `${ecosystem}, ${reference}, ${project}`
  for (const [reason, explained] of byReason) {
    const text = `${ecosystem}, ${reference}: ${reason}`
    tally.reasons.set(text, (tally.reasons.get(text) ?? 0) + explained.length)
  }
  if (note !== undefined) tally.notes.push(`${at}: ${note}`)
  if (outdated.length > 0 && !what.startsWith('vulnerabilities'))
    tally.notes.push(`${at}: ${outdated.length} known differences are no longer there`)
  for (const [side, all] of [
    ['only ours', onlyOurs],
    ['only theirs', onlyTheirs],
  ] as const) {
    const left = all.filter((line) => unexplained.includes(line))
    if (left.length === 0) continue
    const shown = left.slice(0, options.details ? left.length : SHOWN).map((line) => `\n    ${line}`)
    tally.notes.push(`${at}: ${side}, not explained (${left.length}):${shown.join('')}`)
  }
  return unexplained.length
}

function ofCorpus(part: string): string | undefined {
  return corpusLacks(part) === undefined ? path.join(corpusFolder, part) : undefined
}

function bunOfCorpus(): string | undefined {
  const folder = ofCorpus('javascript-tools')
  return folder && path.join(folder, 'node_modules/bun/bin/bun')
}

/** Parses a count; refuses zero compared items, which would show no difference. */
function toCount(name: 'bills' | 'installs' | 'worlds' | 'pairs' | 'seed'): number {
  const text = options[name]
  if (!/^[1-9][0-9]*$/.test(text)) throw new Error(`--${name}: ${text} is not a number from 1`)
  return Number(text)
}

await main()
