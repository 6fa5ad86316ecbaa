/** One thread of the fuzzer: one target, from seeds to whatever mutations of them reach. */
import { parentPort, workerData } from 'node:worker_threads'
import { startCoverage } from './coverage.ts'
import { createExecutor, type Outcome } from './executor.ts'
import type { Input, Target } from './input.ts'
import { noteInput, type Report, type Task } from './messages.ts'
import { minimize } from './minimize.ts'
import { mutate } from './mutate.ts'
import { createRandom, type Random } from './random.ts'

/** Longer inputs are run once and not mutated. */
const MAX_PARENT_CHARACTERS = 100_000
const MAX_KEPT = 4_000
const DETERMINISM_EVERY = 16

const task = workerData as Task
const coverage = startCoverage()
const target = await findTarget(task.target)
await fuzz(target)

async function findTarget(name: string): Promise<Target> {
  // Imported late, so that what it imports is instrumented.
  const { listTargets } = (await import(task.list)) as { listTargets(): Target[] }
  const matches = listTargets().find((target) => target.name === name)
  if (matches === undefined) throw new Error(`no target is called ${name}`)
  return matches
}

async function fuzz({ corpus, hasManyTexts = false, maxCharacters = 65_536 }: Target): Promise<void> {
  const { seeds, worlds = [] } = corpus()
  const executor = createExecutor(target, worlds)
  const random = createRandom(task.seed)
  const kept: Input[] = []
  const existing = new Set<string>()
  const until = performance.now() + task.seconds * 1_000
  let [number, refused] = [0, 0]

  async function tryOne(input: Input): Promise<void> {
    noteInput(task.note, number, input)
    coverage.reset()
    let outcome = await executor.once(input)
    const isNew = coverage.learn()
    if (typeof outcome === 'string' && (isNew || number % DETERMINISM_EVERY === 0))
      outcome = await executor.twice(input)
    if (outcome === 'refused') refused++
    if (typeof outcome === 'object') await report(outcome, input)
    else if (isNew && kept.length < MAX_KEPT && lengthOf(input) <= MAX_PARENT_CHARACTERS) kept.push(input)
    number++
  }

  async function report(outcome: Exclude<Outcome, string>, input: Input): Promise<void> {
    if (existing.has(outcome.key)) return
    existing.add(outcome.key)
    const isSame = async (smaller: Input) => {
      const matches =
        outcome.kind === 'not the same twice' ? await executor.twice(smaller) : await executor.once(smaller)
      return typeof matches === 'object' && matches.key === outcome.key
    }
    const smallest = outcome.kind === 'too slow' ? input : await minimize(input, isSame)
    send({ fault: { ...outcome, number, input: smallest } })
  }

  for (const input of task.only ? [task.only] : seeds) await tryOne(input)
  const tokens = coverage.tokens()
  const donor = () => random.pick(kept)
  while (!task.only && kept.length > 0 && number < task.inputs && performance.now() < until) {
    await tryOne(mutate(chooseParent(kept, random), { random, tokens, donor, maxCharacters }, hasManyTexts))
  }
  const { user, system } = process.threadCpuUsage()
  send({
    done: {
      inputs: number,
      refused,
      kept: kept.length,
      branches: coverage.count(),
      slowestMs: executor.slowestMs(),
      cpuSeconds: (user + system) / 1e6,
    },
  })
}

/** Half of them among those kept last; mostly the shorter of two. */
function chooseParent(kept: readonly Input[], random: Random): Input {
  const from = random.below(2) === 0 ? Math.floor(kept.length * 0.8) : 0
  const [a, b] = [0, 0].map(() => kept[from + random.below(kept.length - from)]!) as [Input, Input]
  if (random.below(4) === 0) return a
  return lengthOf(a) < lengthOf(b) ? a : b
}

function lengthOf({ texts }: Input): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

function send(report: Report): void {
  parentPort!.postMessage(report)
}
