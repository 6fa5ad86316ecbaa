import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { END, type Outcome } from './reporter.ts'
import type { Answer, Ask } from './run-files.ts'
import type { TestFile } from './select.ts'

export interface ProcessSettings {
  /** The folder of the run. */
  readonly folder: string
  /** Distinguishes this process from the others of the run. */
  readonly number: number
  /** Variables of the process, beside those of this one. */
  readonly environment: Readonly<Record<string, string>>
  /** Gives the process a document, for component tests. */
  readonly needsDocument: boolean
  /** Prints each result as it comes, for a run of a few files. */
  readonly printsResults: boolean
  /** Returns the next file, if any. */
  takeFile(): TestFile | undefined
  onStart(child: ChildProcess): void
}

export interface EndedProcess {
  /** Number of files that it took. */
  readonly taken: number
  readonly outcomes: Outcome[]
  /** A test failed, or the process crashed. */
  readonly isBroken: boolean
  readonly output: string
}

const url = (name: string) => new URL(name, import.meta.url).href
const file = (name: string) => fileURLToPath(url(name))
/** The compile cache halves the time of importing the server. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: file('../../node_modules/.cache/gatehouse') }
/** Time that a process may take to exit after its last test. */
const EXIT_MS = 10_000
/** A process above this size is replaced after its file: starting git takes longer from a larger process. */
const LARGE_BYTES = 1.2 * 1024 ** 3

/** Starts a process, gives it files while there are any, and returns their results. */
export async function runTestProcess(settings: ProcessSettings): Promise<EndedProcess> {
  const { folder, number, environment, printsResults } = settings
  const report = join(folder, `${number}.jsonl`)
  const child = spawn(process.execPath, argumentsOf(settings, report), {
    env: { ...COMPILE_CACHE, TMPDIR: folder, ...process.env, ...environment },
    stdio: ['ignore', ...(printsResults ? (['inherit', 'inherit'] as const) : (['pipe', 'pipe'] as const)), 'ipc'],
  })
  settings.onStart(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const taken: TestFile[] = []
  child.on('message', ({ rssBytes }: Ask) => {
    const next = rssBytes > LARGE_BYTES && taken.length > 0 ? undefined : settings.takeFile()
    if (next) taken.push(next)
    child.send((next ? { path: next.path } : {}) satisfies Answer, () => {})
  })
  const lateness = endLateProcess(child, report)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const isLate = lateness.stop()
  const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\n').filter(Boolean) : []
  const isWhole = lines.at(-1) === END || taken.length === 0
  const outcomes = lines.filter((line) => line !== END).map((line) => JSON.parse(line) as Outcome)
  if (!isWhole)
    output += `\nThe process ended without a summary. It had taken these files: ${taken.map(({ path }) => path).join(' ')}\n`
  if (isLate) output += '\nThe process did not exit after its tests and was ended.\n'
  const hasFailed = outcomes.some(({ kind }) => kind === 'failed')
  return { taken: taken.length, outcomes, isBroken: hasFailed || !isWhole || (code !== 0 && !isLate), output }
}

function argumentsOf({ needsDocument, printsResults }: ProcessSettings, report: string): string[] {
  return [
    '--require',
    file('without-promise-hooks.cjs'),
    ...(needsDocument ? [`--import=${url('../../web/testing/register.ts')}`] : []),
    '--test-force-exit',
    `--test-reporter=${url('reporter.ts')}`,
    `--test-reporter-destination=${report}`,
    ...(printsResults ? [`--test-reporter=${url('spec-reporter.ts')}`, '--test-reporter-destination=stdout'] : []),
    file('run-files.ts'),
  ]
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
