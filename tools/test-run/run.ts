import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { toBatches } from './batches.ts'
import { END, type Outcome } from './reporter.ts'
import { createScratch } from './scratch.ts'
import { selectTestFiles, type TestFile } from './select.ts'
import { startSharedParts } from './shared-parts.ts'
import { summarize } from './summary.ts'

/**
 * Runs the test files that are named, or all of them, in several processes, and prints failures,
 * skips and the slowest files at the end. Exits with 1 when a test failed or a process ended without saying so.
 */
const usage = `usage: npm test -- [--fast] [--jobs N] [FILE or FOLDER]…
  --fast     leave out tests that start a browser or another process
  --report F write every result to this file, one JSON object a line
  --jobs N   processes at a time (default: two per core; 1 shows every test as it ends)`

const { values, positionals } = parse()
const folder = createScratch()
/** The server's own cache: importing it takes half the time. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/gatehouse', import.meta.url))
/** Lets a process read JSX and gives it a document. */
const componentSetup = new URL('../../web/testing/register.ts', import.meta.url).href
const startedAt = performance.now()
const running = new Set<ReturnType<typeof spawn>>()
/** Tests wait for programs, pages and timers: two processes per core keep the cores busy. */
const DEFAULT_JOBS = 2 * availableParallelism()
/** Time that a process may take to exit after its last test. */
const EXIT_MS = 10_000
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal)
    rmSync(folder, { recursive: true, force: true })
    process.exit(130)
  })
}

try {
  process.exitCode = await runAll(chooseFiles())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { fast: { type: 'boolean', default: false }, jobs: { type: 'string' }, report: { type: 'string' } },
    })
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}

function chooseFiles(): TestFile[] {
  const files = select()
  return values.fast ? files.filter(({ kind }) => kind !== 'browser' && kind !== 'process') : files
}

function select(): TestFile[] {
  try {
    return selectTestFiles(positionals)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(2)
  }
}

async function runAll(files: readonly TestFile[]): Promise<number> {
  const jobs = Math.min(Number(values.jobs ?? DEFAULT_JOBS), files.length)
  const shared = await startSharedParts(files, folder)
  try {
    return await runBatches(toBatches(files, jobs), { jobs, environment: shared.environment })
  } finally {
    await shared.close()
  }
}

interface Order {
  readonly jobs: number
  /** Variables for the processes, beside those of this one. */
  readonly environment: Readonly<Record<string, string>>
}

async function runBatches(batches: readonly TestFile[][], { jobs, environment }: Order): Promise<number> {
  const outcomes: Outcome[] = []
  let isBroken = false
  let next = 0
  const takeTurns = async () => {
    for (let index = next++; index < batches.length; index = next++) {
      const ended = await runBatch(batches[index]!, { index, isOnly: batches.length === 1, environment })
      outcomes.push(...ended.outcomes)
      isBroken ||= ended.isBroken
      if (batches.length > 1 || ended.isBroken) console.log(describeBatch(ended, { index, count: batches.length }))
    }
  }
  await Promise.all(Array.from({ length: jobs }, takeTurns))
  if (values.report) writeFileSync(values.report, outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''))
  console.log(summarize(outcomes, performance.now() - startedAt))
  return isBroken ? 1 : 0
}

interface EndedBatch {
  readonly outcomes: Outcome[]
  /** The process did not end well: a test failed, or it crashed. */
  readonly isBroken: boolean
  readonly output: string
  readonly elapsedMs: number
}

async function runBatch(
  files: readonly TestFile[],
  { index, isOnly, environment }: { index: number; isOnly: boolean } & Pick<Order, 'environment'>,
): Promise<EndedBatch> {
  const report = join(folder, `${index}.jsonl`)
  const reporter = new URL('./reporter.ts', import.meta.url).href
  const batchStartedAt = performance.now()
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-isolation=none',
      '--test-force-exit',
      ...(files.some(({ kind }) => kind === 'component') ? [`--import=${componentSetup}`] : []),
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${report}`,
      ...(isOnly ? ['--test-reporter=spec', '--test-reporter-destination=stdout'] : []),
      ...files.map(({ path }) => path),
    ],
    {
      env: { NODE_COMPILE_CACHE: compileCache, TMPDIR: folder, ...process.env, ...environment },
      stdio: ['ignore', isOnly ? 'inherit' : 'pipe', isOnly ? 'inherit' : 'pipe'],
    },
  )
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const lateness = endLateProcess(child, report)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const isLate = lateness.stop()
  running.delete(child)
  const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\n').filter(Boolean) : []
  const isWhole = lines.at(-1) === END
  if (!isWhole)
    output += `\nThe process of these files ended without a summary: ${files.map(({ path }) => path).join(' ')}\n`
  const outcomes = lines.filter((line) => line !== END).map((line) => JSON.parse(line) as Outcome)
  const failed = isLate ? outcomes.some(({ kind }) => kind === 'failed') : code !== 0
  if (isLate) console.log(`the process of batch ${index + 1} was ended: its tests were over and it did not exit`)
  return { outcomes, isBroken: failed || !isWhole, output, elapsedMs: performance.now() - batchStartedAt }
}

/** Ends a process that is still there some seconds after its report: open handles must not hold up the run. */
function endLateProcess(child: ChildProcess, report: string): { stop(): boolean } {
  let overSince: number | undefined
  let isLate = false
  const timer = setInterval(() => {
    const isOver = existsSync(report) && readFileSync(report, 'utf8').trimEnd().endsWith(END)
    if (!isOver) return
    overSince ??= performance.now()
    if (performance.now() - overSince < EXIT_MS) return
    isLate = true
    child.kill('SIGKILL')
  }, 2_000)
  return {
    stop() {
      clearInterval(timer)
      return isLate
    },
  }
}

function describeBatch(batch: EndedBatch, { index, count }: { index: number; count: number }): string {
  const failed = batch.outcomes.filter(({ kind, isSuite }) => kind === 'failed' && !isSuite).length
  const line = `batch ${index + 1} of ${count}: ${batch.outcomes.length} results, ${failed} failed, ${(batch.elapsedMs / 1000).toFixed(0)} s`
  return batch.isBroken ? `${line}\n${batch.output.slice(-20_000)}` : line
}
