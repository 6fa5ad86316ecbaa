/** Changes the source in many small ways and reports the changes that no test notices: see docs/mutation.md. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createScratch } from '../test-run/scratch.ts'
import { selectTestFiles } from '../test-run/select.ts'
import { makeTemplates } from '../test-run/shared-parts.ts'
import { readAccepted, reasonsOf, staleChanges } from './accepted.ts'
import { type Selection, selectAreas } from './areas.ts'
import { judgeArea, type Result } from './judge.ts'
import { keyOf, type Mutant, prepareMutants } from './mutants.ts'
import { describeReport, isSurvivor } from './report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    report: { type: 'string' },
    again: { type: 'string' },
    sample: { type: 'string', default: '1' },
    alone: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '20' },
  },
})

/** Mutants that take longer are reported, because they may be worth a look. */
const SLOW_MS = 10_000

const scratch = createScratch()
const accepted = readAccepted()
const reasonOf = reasonsOf(accepted)
const every = Number(values.sample)
const again = values.again === undefined ? undefined : survivorsOf(values.again)
const found: Result[] = []
const selections = selectAreas(positionals, values.tests)
const templates = await prepareServers()
try {
  for (const selection of selections) await judgeSelection(selection)
} finally {
  await templates?.close()
  rmSync(scratch, { recursive: true, force: true })
}
const isOpen = (result: Result) => isSurvivor(result) && reasonOf(result.mutant) === undefined
process.exitCode = found.some(isOpen) ? 1 : 0

/** Makes the first data of servers once for all processes, if any test starts a server. */
async function prepareServers() {
  const files = selectTestFiles(selections.flatMap(({ tests }) => tests))
  if (files.every(({ kind }) => kind === 'plain')) return undefined
  const templates = await makeTemplates(join(scratch, 'templates.json'))
  Object.assign(process.env, templates.environment)
  return templates
}

async function judgeSelection({ name, sources, tests }: Selection): Promise<void> {
  const began = performance.now()
  const { mutants, modules } = prepareMutants(sources)
  const wanted = mutants.filter(isWanted)
  console.log(`${name}: ${wanted.length} of ${mutants.length} mutants, ${tests.length} test files`)
  const ids = new Set(wanted.map(({ id }) => id))
  let tried = 0
  let last = performance.now()
  const onResult = (result: Result) => {
    const { mutant, outcome } = result
    found.push(result)
    const ms = performance.now() - last
    last = performance.now()
    if (ms > SLOW_MS)
      console.log(`  ${seconds(last - ms)} s: ${mutant.file}:${mutant.line}: ${mutant.change} ${outcome}`)
    if (++tried % 50 === 0) console.log(`  ${tried} of ${wanted.length}, ${seconds(began)} s`)
    // An interrupted run keeps its results.
    if (tried % 10 === 0) saveReport()
  }
  const options = {
    isWanted: ({ id }: Mutant) => ids.has(id),
    isAlone: values.alone,
    enoughMs: Number(values.seconds) * 1000,
    scratch,
    onResult,
  }
  const results = await judgeArea({ mutants, modules, tests }, options)
  console.log(`\n${describeReport({ name, results, stale: staleChanges(accepted, results, mutants), reasonOf })}`)
  console.log(`${seconds(began)} s`)
  saveReport()
}

function saveReport(): void {
  if (values.report !== undefined) writeFileSync(values.report, `${JSON.stringify(found, undefined, 1)}\n`)
}

function isWanted(mutant: Mutant): boolean {
  if (again) return again.has(keyOf(mutant))
  return mutant.id % every === 0
}

function survivorsOf(report: string): Set<string> {
  const results = JSON.parse(readFileSync(report, 'utf8')) as Result[]
  return new Set(results.filter(isSurvivor).map(({ mutant }) => keyOf(mutant)))
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0)
}
