import { type Leaf, leaves, mock, type Suite, type TestContext } from './test-tree.ts'

/** A test that failed, or the suite whose hook failed. */
export interface Failure {
  readonly name: string
  readonly error: unknown
}

export interface Observer {
  /** Called around each test, and around the hooks of each suite. */
  begin(): void
  end(node: Leaf | Suite, ms: number): void
}

/** Errors that no test catches, such as those of timers: they fail the test that runs. */
let rejectRunning: ((error: unknown) => void) | undefined
process.on('uncaughtException', (error) => rejectRunning?.(error))
process.on('unhandledRejection', (error) => rejectRunning?.(error))

/** Runs the given tests in order, with the hooks of their suites, until one fails. Returns the failure. */
export async function runTests(
  ids: readonly number[],
  { timeoutMs, observer }: { timeoutMs: number; observer?: Observer },
): Promise<Failure | undefined> {
  const wanted = new Set<Leaf | Suite>()
  for (const id of ids) {
    for (let node: Leaf | Suite | undefined = leaves[id]!; node; node = node.parent) wanted.add(node)
  }
  const files = new Set(ids.map((id) => fileOf(leaves[id]!)))
  const deadline = performance.now() + timeoutMs
  for (const file of files) {
    const failure = await runSuite(file, { wanted, deadline, observer, beforeEach: [], afterEach: [] })
    if (failure) return failure
  }
  return undefined
}

/** Returns the outermost suite, which stands for the test file. */
export function fileOf(node: Leaf | Suite): Suite {
  let suite = node.kind === 'suite' ? node : node.parent
  while (suite.parent) suite = suite.parent
  return suite
}

/** Returns the full title of a test. */
export function titleOf(node: Leaf | Suite): string {
  const names = [node.name]
  for (let suite = node.parent; suite; suite = suite.parent) names.unshift(suite.name)
  return names.join(' › ')
}

type Hook = Suite['hooks']['before'][number]

interface Run {
  readonly wanted: ReadonlySet<Leaf | Suite>
  readonly deadline: number
  readonly observer: Observer | undefined
  readonly beforeEach: readonly Hook[]
  readonly afterEach: readonly Hook[]
}

async function runSuite(suite: Suite, run: Run): Promise<Failure | undefined> {
  const inner: Run = {
    ...run,
    beforeEach: [...run.beforeEach, ...suite.hooks.beforeEach],
    afterEach: [...suite.hooks.afterEach, ...run.afterEach],
  }
  let failure = await observed(suite, run, () => inOrder(suite.hooks.before, suite, run.deadline))
  for (const child of failure ? [] : suite.children) {
    if (!run.wanted.has(child)) continue
    failure = child.kind === 'suite' ? await runSuite(child, inner) : await runLeaf(child, inner)
    if (failure) break
  }
  // Started programs end even after the time is over, so that the next run finds a clean process.
  const ending = await observed(suite, run, () => inOrder(suite.hooks.after, suite, performance.now() + 10_000))
  return failure ?? ending
}

async function runLeaf(leaf: Leaf, run: Run): Promise<Failure | undefined> {
  const afterHooks: Hook[] = []
  const context: TestContext = {
    name: leaf.name,
    mock,
    after: (body) => void afterHooks.unshift(body),
    diagnostic: () => {},
    skip: () => {},
  }
  return observed(leaf, run, async () => {
    const first = await inOrder([...run.beforeEach, leaf.body], leaf, run.deadline, context)
    const last = await inOrder([...afterHooks, ...run.afterEach], leaf, performance.now() + 10_000, context)
    mock.reset()
    return first ?? last
  })
}

async function observed<Result>(node: Leaf | Suite, { observer }: Run, run: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  observer?.begin()
  try {
    return await run()
  } finally {
    observer?.end(node, performance.now() - began)
  }
}

async function inOrder(
  bodies: readonly Hook[],
  node: Leaf | Suite,
  deadline: number,
  context = {} as TestContext,
): Promise<Failure | undefined> {
  for (const body of bodies) {
    const { promise, reject } = Promise.withResolvers<never>()
    rejectRunning = reject
    const timer = setTimeout(() => reject(new TimedOut()), Math.max(1, deadline - performance.now()))
    try {
      const running = body(context)
      if (running instanceof Promise) await Promise.race([running, promise])
    } catch (error) {
      return { name: titleOf(node), error }
    } finally {
      clearTimeout(timer)
      rejectRunning = undefined
      promise.catch(() => {})
    }
  }
  return undefined
}

/** The tests take many times longer than without the mutant. */
export class TimedOut extends Error {}
