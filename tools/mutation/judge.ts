import { dirname } from 'node:path'
import { isLoadedBy } from './imports.ts'
import { rememberKillers } from './killers.ts'
import type { Loaded, Recorded, Setup, Verdict } from './messages.ts'
import type { Mutant } from './mutants.ts'
import { openWorker, type Worker } from './open-worker.ts'

export type Outcome = 'killed' | 'timed out' | 'survived' | 'no coverage'

export interface Result {
  readonly mutant: Mutant
  readonly outcome: Outcome
  /** The test that failed. */
  readonly by?: string
}

interface Area {
  readonly mutants: readonly Mutant[]
  readonly modules: Readonly<Record<string, string>>
  readonly tests: readonly string[]
}

interface Options {
  /** Mutants to try; the others are left out. */
  readonly isWanted: (mutant: Mutant) => boolean
  readonly scratch: string
  /** Tries each mutant in a process of its own: slow, and free of what earlier mutants left in caches. */
  readonly isAlone: boolean
  /** Milliseconds that the tests of a mutant may take beyond a multiple of what they take without it. */
  readonly enoughMs: number
  readonly onResult: (result: Result) => void
}

interface Baseline {
  readonly tests: Loaded['tests']
  readonly recorded: readonly Recorded[]
  /** Mutants that a process reaches only once, so that they must be active from its start. */
  readonly onceOnly: ReadonlySet<number>
  /** Files whose tests pass only once in a process. */
  readonly onceFiles: ReadonlySet<string>
}

/** For the tests of one file. */
const RECORDING_MS = 600_000
/** Generous, because a trial in a separate process is not repeated. */
const ENOUGH_MS_ALONE = 60_000
/** A multiple of the time that the tests take without a mutant. */
const SLOWER = 3
const ENOUGH_CALLS = 200_000

/** Tries each wanted mutant with the tests that reach it. */
export async function judgeArea(area: Area, options: Options): Promise<Result[]> {
  const setup: Setup = { modules: area.modules, mutants: area.mutants.length, testFiles: area.tests, active: 0 }
  const open = async () => {
    const worker = await openWorker(setup, options.scratch)
    if (!worker) throw new Error('The process that loads the tests ended.')
    if (worker.loaded.error !== undefined) throw new Error(`The tests cannot be loaded: ${worker.loaded.error}`)
    return worker
  }
  let worker = await open()
  const baseline = await measure(worker)
  const killers = rememberKillers((id) => baseline.tests[id]!.file)
  const results: Result[] = []
  for (const mutant of area.mutants.filter(options.isWanted)) {
    let result = options.isAlone || baseline.onceOnly.has(mutant.id) ? undefined : await tryWarm(mutant)
    result ??= await tryAlone(mutant, area, { tests: testsReaching(mutant.id, baseline), baseline, options })
    results.push(result)
    options.onResult(result)
  }
  await worker.close()
  return results

  /** Returns undefined if only a process of its own can tell. */
  async function tryWarm(mutant: Mutant): Promise<Result | undefined> {
    const reaching = testsReaching(mutant.id, baseline)
    if (reaching.length === 0) return { mutant, outcome: 'no coverage' }
    const tests = reaching.filter((id) => !baseline.onceFiles.has(baseline.tests[id]!.file))
    if (tests.length === 0) return undefined
    const likely = killers.among(mutant.file, tests)
    if (likely.length > 0 && likely.length < tests.length) {
      const result = await tryNow(mutant, likely)
      if (result === undefined) killers.exclude(likely)
      else if (result.outcome !== 'survived') return result
    }
    const result = await tryNow(mutant, tests)
    return result?.outcome === 'survived' && tests.length < reaching.length ? undefined : result
  }

  async function tryNow(mutant: Mutant, tests: readonly number[]): Promise<Result | undefined> {
    const result = await tryIn({ worker, baseline, options }, mutant, tests)
    const killer = tests.find((id) => baseline.tests[id]!.title === result?.by)
    if (killer !== undefined) killers.note(mutant.file, killer)
    if (result && worker.isUsable()) return result
    await worker.close()
    worker = await open()
    if (!result) return undefined
    // Other work on the machine must not count as an endless loop.
    const limits = limitsOf(tests, baseline, options)
    const clean = await worker.ask({ mutant: 0, tests: upTo(killer, tests, baseline), ...limits })
    return clean?.result === 'passed' ? result : undefined
  }
}

/** Runs all tests twice without a mutant, to find code that only the first run in a process reaches. */
async function measure(worker: Worker): Promise<Baseline> {
  const { tests, reached } = worker.loaded
  const ids = tests.map((_, id) => id)
  const record = async () => {
    const recorded = new Map<number, Recorded>()
    for (const [file, own] of Map.groupBy(ids, (id) => tests[id]!.file)) {
      const trial = { mutant: 0, tests: own, timeoutMs: RECORDING_MS, maxCalls: Infinity, isRecorded: true }
      const verdict = await worker.ask(trial)
      if (!verdict) throw new Error(`The tests of ${file} end their process, or take longer than ten minutes.`)
      for (const [id, found] of verdict.recorded) recorded.set(id, found)
    }
    return ids.map((id) => recorded.get(id)!)
  }
  const [first, second] = [await record(), await record()]
  const failed = first.findIndex(({ error }) => error !== undefined)
  if (failed >= 0) {
    const { title } = tests[failed]!
    throw new Error(`Without a mutant, "${title}" or a test beside it fails: ${first[failed]!.error}`)
  }
  const onceFiles = new Set(ids.filter((id) => second[id]!.error !== undefined).map((id) => tests[id]!.file))
  const again = new Set(second.flatMap((test) => test.reached))
  const once = first.flatMap((test) => test.reached).filter((id) => !again.has(id))
  return { tests, recorded: first, onceOnly: new Set([...reached, ...once]), onceFiles }
}

/** The tests that reach a mutant, with those of quick files first. */
function testsReaching(mutant: number, { tests, recorded }: Baseline): number[] {
  const reaching = recorded.flatMap(({ reached }, id) => (reached.includes(mutant) ? [id] : []))
  const msOf = Map.groupBy(reaching, (id) => tests[id]!.file)
  const duration = (id: number) => msOf.get(tests[id]!.file)!.reduce((sum, each) => sum + recorded[each]!.ms, 0)
  return reaching.sort((a, b) => duration(a) - duration(b) || a - b)
}

function durationOf(file: string, { tests, recorded }: Baseline): number {
  return recorded.reduce((sum, { ms }, id) => sum + (tests[id]!.file === file ? ms : 0), 0)
}

function limitsOf(
  tests: readonly number[],
  { recorded }: Baseline,
  { enoughMs }: Options,
): { timeoutMs: number; maxCalls: number } {
  const sum = (of: (test: Recorded) => number) => tests.reduce((total, id) => total + of(recorded[id]!), 0)
  return { timeoutMs: enoughMs + SLOWER * sum(({ ms }) => ms), maxCalls: ENOUGH_CALLS + 4 * sum(({ calls }) => calls) }
}

/** Returns undefined if the tests fail without the mutant too, because something has changed the process. */
async function tryIn(
  { worker, baseline, options }: { worker: Worker; baseline: Baseline; options: Options },
  mutant: Mutant,
  tests: readonly number[],
): Promise<Result | undefined> {
  const limits = limitsOf(tests, baseline, options)
  const verdict = await worker.ask({ mutant: mutant.id, tests, ...limits })
  const result = toResult(mutant, verdict)
  if (!verdict || verdict.result === 'passed' || verdict.result === 'timed out') return result
  const last = tests.find((id) => baseline.tests[id]!.title === result.by)
  const clean = await worker.ask({ mutant: 0, tests: upTo(last, tests, baseline), ...limits })
  return clean?.result === 'passed' ? result : undefined
}

/** Returns the tests of a test's file up to it; all if it is not known. */
function upTo(last: number | undefined, tests: readonly number[], baseline: Baseline): readonly number[] {
  if (last === undefined) return tests
  const isOfFile = (id: number) => baseline.tests[id]!.file === baseline.tests[last]!.file
  return tests.slice(0, tests.indexOf(last) + 1).filter(isOfFile)
}

/**
 * Tries a mutant in a process of its own, in which it is active from the start. As that takes long, only the tests
 * beside its source run, unless all mutants are tried this way.
 */
async function tryAlone(
  mutant: Mutant,
  area: Area,
  { tests, baseline, options }: { tests: readonly number[]; baseline: Baseline; options: Options },
): Promise<Result> {
  const reaching = area.tests.filter((file) => tests.some((id) => baseline.tests[id]!.file === file))
  const all = reaching.length === 0 ? area.tests.filter((file) => isLoadedBy(mutant.file, file)) : reaching
  const beside = all.filter((file) => dirname(file) === dirname(mutant.file))
  const chosen = options.isAlone || beside.length === 0 ? all : beside
  if (chosen.length === 0) return { mutant, outcome: 'no coverage' }
  const files = chosen.toSorted((a, b) => durationOf(a, baseline) - durationOf(b, baseline))
  const setup = { modules: area.modules, mutants: area.mutants.length, testFiles: files, active: mutant.id }
  const worker = await openWorker(setup, options.scratch)
  if (!worker) return { mutant, outcome: 'timed out' }
  if (worker.loaded.error !== undefined) {
    await worker.close()
    return { mutant, outcome: 'killed', by: 'loading the tests' }
  }
  const ids = worker.loaded.tests.map((_, id) => id)
  const limits = limitsOf(
    baseline.tests.flatMap(({ file }, id) => (files.includes(file) ? [id] : [])),
    baseline,
    options,
  )
  const timeoutMs = limits.timeoutMs + ENOUGH_MS_ALONE
  const verdict = await worker.ask({ mutant: mutant.id, tests: ids, ...limits, timeoutMs })
  await worker.close()
  return toResult(mutant, verdict)
}

function toResult(mutant: Mutant, verdict: Verdict | undefined): Result {
  if (!verdict || verdict.result === 'timed out' || verdict.result === 'stopped') {
    return { mutant, outcome: 'timed out', ...(verdict?.by !== undefined && { by: verdict.by }) }
  }
  if (verdict.result === 'passed') return { mutant, outcome: 'survived' }
  return { mutant, outcome: 'killed', ...(verdict.by !== undefined && { by: verdict.by }) }
}
