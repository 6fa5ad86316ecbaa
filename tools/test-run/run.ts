import type { ChildProcess } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { type Queue, toQueues } from './queue.ts'
import type { Outcome } from './reporter.ts'
import { createScratch } from './scratch.ts'
import { selectTestFiles, type TestFile } from './select.ts'
import { startSharedParts } from './shared-parts.ts'
import { summarize } from './summary.ts'
import { runTestProcess } from './test-process.ts'

/**
 * Runs the test files that are named, or all of them, in several processes, and prints failures,
 * skips and the slowest files at the end. Exits with 1 when a test failed or a process ended without saying so.
 */
const usage = `usage: npm test -- [--fast] [--jobs N] [FILE or FOLDER]…
  --fast     only tests that start no server, test thread, browser or other process
  --report F write every result to this file, one JSON object a line
  --jobs N   processes at a time (default: two per core and one; 1 shows every test as it ends)`

const { values, positionals } = parse()
const folder = createScratch()
const startedAt = performance.now()
const running = new Set<ChildProcess>()
/** The longest tests mostly wait for programs, pages and timers, so that more processes than cores are useful. */
const DEFAULT_JOBS = 2 * availableParallelism() + 1
/** Number of files for each line of progress. */
const FILES_PER_LINE = 50
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
  return values.fast ? files.filter(({ kind }) => kind === 'plain') : files
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
    return await runQueues(toQueues(files), { jobs, count: files.length, environment: shared.environment })
  } finally {
    await shared.close()
  }
}

interface Order {
  readonly jobs: number
  /** The number of all files. */
  readonly count: number
  /** Variables for the processes, beside those of this one. */
  readonly environment: Readonly<Record<string, string>>
}

async function runQueues(queues: readonly Queue[], order: Order): Promise<number> {
  const outcomes: Outcome[] = []
  let isBroken = false
  let [processes, taken] = [0, 0]
  const takeFrom = (queue: Queue, end: 'longest' | 'shortest') => () => {
    const next = end === 'longest' ? queue.files.shift() : queue.files.pop()
    if (next && ++taken % FILES_PER_LINE === 0) console.log(`${taken} of ${order.count} files, ${elapsed()}`)
    return next
  }
  // Component tests come last: they start when the first process has finished its files.
  const takeTurns = async (end: 'longest' | 'shortest') => {
    for (let queue = pending(queues); queue; queue = pending(queues)) {
      const ended = await runTestProcess({
        folder,
        number: processes++,
        environment: order.environment,
        needsDocument: queue.needsDocument,
        printsResults: order.jobs === 1,
        takeFile: takeFrom(queue, end),
        onStart: (child) => void running.add(child.once('close', () => running.delete(child))),
      })
      outcomes.push(...ended.outcomes)
      isBroken ||= ended.isBroken
      if (ended.isBroken) console.log(describeBroken(ended.outcomes, ended.output))
      // The next process would not start either.
      if (ended.isBroken && ended.taken === 0) return
    }
  }
  const others = Array.from({ length: order.jobs - 1 }, () => takeTurns('longest'))
  await Promise.all([...others, takeTurns(order.jobs === 1 ? 'longest' : 'shortest')])
  if (values.report) writeFileSync(values.report, outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''))
  console.log(summarize(outcomes, performance.now() - startedAt))
  const left = queues.reduce((sum, { files }) => sum + files.length, 0)
  if (left > 0) console.log(`${left} of ${order.count} files did not run, as no process for them started.`)
  return isBroken ? 1 : 0
}

function pending(queues: readonly Queue[]): Queue | undefined {
  return queues.find(({ files }) => files.length > 0)
}

function elapsed(): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(0)} s`
}

function describeBroken(outcomes: readonly Outcome[], output: string): string {
  const failed = outcomes.filter(({ kind, isSuite }) => kind === 'failed' && !isSuite).length
  return `a process with ${outcomes.length} results, ${failed} failed, ${elapsed()}\n${output.slice(-20_000)}`
}
