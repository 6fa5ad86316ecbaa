/** The process that loads the test files of an area once and runs them with one mutant after the other. */
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import type { Answer, Loaded, Recorded, Request, Setup, Trial, Verdict } from './messages.ts'
import { fileOf, runTests, TimedOut, titleOf } from './run-tests.ts'
import { installSwitches, type Switches } from './switches.ts'
import { collect, type Leaf, lastHooks, leaves, type Suite } from './test-tree.ts'

const TEST_TREE = new URL('./test-tree.ts', import.meta.url).href

let switches: Switches
process.on('message', async (request: Request) => {
  if ('setup' in request) send({ loaded: await load(request.setup) })
  else send({ verdict: await judge(request.trial) })
})
process.on('disconnect', async () => {
  for (const hook of lastHooks) await (hook as () => unknown)()
  process.exit()
})

function send(answer: Answer): void {
  process.send!(answer)
}

async function load({ modules, mutants, testFiles, active }: Setup): Promise<Loaded> {
  switches = installSwitches(mutants)
  switches.activate(active, 1e9)
  const sources = new Map(Object.entries(modules).map(([path, source]) => [pathToFileURL(path).href, source]))
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === 'node:test' && context.parentURL !== TEST_TREE) return { url: TEST_TREE, shortCircuit: true }
      return nextResolve(specifier, context)
    },
    load(url, context, nextLoad) {
      const source = sources.get(url)
      return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
    },
  })
  // A failure is all that counts: finding a smaller one would take most of the time.
  fc.configureGlobal({ seed: 7, endOnFailure: true })
  try {
    for (const file of testFiles) await collect(file, () => import(pathToFileURL(resolve(file)).href))
  } catch (error) {
    return { tests: [], reached: [], error: textOf(error) }
  }
  const tests = leaves.map((leaf) => ({ title: titleOf(leaf), file: fileOf(leaf).name }))
  return { tests, reached: switches.takeReached() }
}

async function judge({ mutant, tests, timeoutMs, maxCalls, isRecorded }: Trial): Promise<Verdict> {
  if (isRecorded) return { result: 'passed', calls: 0, recorded: await record(tests, timeoutMs) }
  switches.activate(mutant, maxCalls)
  const failure = await runTests(tests, { timeoutMs })
  const [calls, wasStopped] = [switches.calls(), switches.wasStopped()]
  switches.activate(0, Infinity)
  if (!failure) return { result: wasStopped ? 'stopped' : 'passed', calls, recorded: [] }
  const result = wasStopped ? 'stopped' : failure.error instanceof TimedOut ? 'timed out' : 'failed'
  return { result, by: failure.name, error: textOf(failure.error), calls, recorded: [] }
}

/** Runs each test file as it is, and notes what its tests reach. */
async function record(tests: readonly number[], timeoutMs: number): Promise<[number, Recorded][]> {
  const own = new Map<Leaf | Suite, Own>()
  const observer = {
    begin() {
      switches.takeReached()
      switches.activate(0, Infinity)
    },
    end(node: Leaf | Suite, ms: number) {
      const { ms: msBefore = 0, reached = [] } = own.get(node) ?? {}
      own.set(node, { ms: msBefore + ms, calls: switches.calls(), reached: [...reached, ...switches.takeReached()] })
    },
  }
  const results: [number, Recorded][] = []
  for (const [, ids] of Map.groupBy(tests, (id) => fileOf(leaves[id]!))) {
    const failure = await runTests(ids, { timeoutMs, observer })
    for (const id of ids) results.push([id, collectOwn(leaves[id]!, own, failure && textOf(failure.error))])
  }
  return results
}

interface Own {
  readonly ms: number
  readonly calls: number
  readonly reached: readonly number[]
}

function collectOwn(leaf: Leaf, own: ReadonlyMap<Leaf | Suite, Own>, error: string | undefined): Recorded {
  const reached = new Set<number>()
  let [ms, calls] = [0, 0]
  for (let node: Leaf | Suite | undefined = leaf; node; node = node.parent) {
    const found = own.get(node)
    for (const id of found?.reached ?? []) reached.add(id)
    ms += found?.ms ?? 0
    calls += found?.calls ?? 0
  }
  return { ms, calls, reached: [...reached], ...(error !== undefined && { error }) }
}

function textOf(error: unknown): string {
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 1500)
}
