/**
 * Compares how we read and resolve the projects of a corpus with the tools that wrote them, in one table. `npm run
 * corpus` makes one; CORPUS names the folder of another:
 *
 *     npm run compare -- [--registries] [--only npm,yarn] [--yarns <folder>] [--pnpms <folder>] [--bun <path>]
 *                        [--osv-scanner <path>] [--python-tools <bin folder>] [--python python3] [--coursier <classpath>]
 *                        [--worlds 100] [--pairs 100000] [--allow <network>] [--installs 20]
 *                        [--bill-tools <folder> [--bills 6]] [--details]
 *
 * A reference that is not installed is left out, with the reason. `--registries` adds what the real tools resolve with
 * the real registries, which takes an hour; with `--installs` npm installs only so many projects, the smallest.
 * `--yarns` names a folder with `node_modules/yarn-lock-<version>` (aliases of @yarnpkg/cli-dist); default: that of the
 * corpus. `--pnpms` names one with `node_modules/pnpm-lock-<version>` (aliases of pnpm), `--bill-tools` a folder with
 * cdxgen, syft, cyclonedx-py and cyclonedx-npm, `--python-tools` the `bin` of a virtual environment with Poetry, uv and
 * Pipenv; of several environments, the first whose Python a project accepts is used. Known differences are listed with
 * their reasons in test/support/manifests/known-differences.json; the exit code is 1 if there are others.
 */
import path from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { explain } from '#test/manifests/known-differences.ts'
import { billProducerComparisons } from './compare/bill-producers.ts'
import type { Compared, CompareSettings, Comparison } from './compare/comparison.ts'
import { folderComparisons } from './compare/folder-comparisons.ts'
import { javascriptToolComparisons } from './compare/javascript-tools.ts'
import { lockComparisons } from './compare/lock-comparisons.ts'
import { osvScannerComparisons } from './compare/osv-scanner.ts'
import { pythonToolComparisons } from './compare/python-tools.ts'
import { toolComparisons } from './compare/tool-comparisons.ts'
import { askReferences, versionLineComparisons } from './compare/version-comparisons.ts'
import { worldComparisons } from './compare/world-comparisons.ts'
import { corpusFolder, corpusLacks } from './corpus/folder.ts'

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
    worlds: { type: 'string', default: '100' },
    python: { type: 'string', default: 'python3' },
    pairs: { type: 'string', default: '100000' },
    allow: { type: 'string', multiple: true, default: [] },
    installs: { type: 'string' },
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
  bills: toCount(options.bills),
  coursier: options.coursier,
  mayAskRegistries: options.registries,
  allow: options.allow,
  installs: options.installs === undefined ? Number.POSITIVE_INFINITY : toCount(options.installs),
}
const isWanted = (ecosystem: string) => options.only === undefined || options.only.split(',').includes(ecosystem)

interface Tally {
  readonly notes: string[]
  readonly reasons: Map<string, number>
  unexplained: number
}

async function main(): Promise<void> {
  const tally: Tally = { notes: [], reasons: new Map(), unexplained: 0 }
  const all = [
    ...lockComparisons(settings),
    ...osvScannerComparisons(settings),
    ...toolComparisons(settings),
    ...javascriptToolComparisons(settings),
    ...pythonToolComparisons(settings),
    ...billProducerComparisons(settings),
    ...versionLineComparisons(settings),
    ...folderComparisons(settings),
  ].filter(({ ecosystem }) => isWanted(ecosystem))
  console.log(
    '| ecosystem | compared | reference | projects | files | packages | lines | only ours | only theirs | explained | left |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|')
  for (const comparison of all) console.log(await rowOf(comparison, tally))
  if (options.only === undefined) {
    printWorlds(tally)
    printVersions(tally)
  }
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
  const [ours, theirs] = [sum(({ onlyOurs }) => onlyOurs.length), sum(({ onlyTheirs }) => onlyTheirs.length)]
  tally.unexplained += left
  const cells = [
    ...[ecosystem, what, reference, compared.length, sum(({ files }) => files), sum(({ packages }) => packages)],
    ...[sum(({ lines }) => lines), ours, theirs, ours + theirs - left, left],
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
  if (outdated.length > 0 && what !== 'vulnerabilities of what both find')
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

function printWorlds(tally: Tally): void {
  console.log('\n| random registries and projects | reference | answers | different |\n|---|---|---|---|')
  for (const { ecosystem, reference, answers, different, missing } of worldComparisons(settings, options.worlds)) {
    const cells = missing === undefined ? [answers, different] : [`skipped: ${missing}`, '']
    console.log(`| ${[ecosystem, reference, ...cells].join(' | ')} |`)
    tally.unexplained += different
  }
}

function printVersions(tally: Tally): void {
  console.log(`\n| versions | question | reference | pairs | mismatches |\n|---|---|---|---|---|`)
  for (const { scheme, kind, reference, pairs, faults } of askReferences(Number(options.pairs), options.python)) {
    console.log(`| ${scheme} | ${kind} | ${reference} | ${pairs} | ${faults} |`)
    tally.unexplained += faults
  }
  console.log('')
}

function ofCorpus(part: string): string | undefined {
  return corpusLacks(part) === undefined ? path.join(corpusFolder, part) : undefined
}

function bunOfCorpus(): string | undefined {
  const folder = ofCorpus('javascript-tools')
  return folder && path.join(folder, 'node_modules/bun/bin/bun')
}

/** Parses a count; refuses zero compared items, which would show no difference. */
function toCount(text: string): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new Error(`--installs: ${text} is not a number of projects`)
  return Number(text)
}

await main()
