// cspell:ignore subtests
import { executionAsyncResource } from 'node:async_hooks'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { END_OF_FILE } from './reporter.ts'

/** Sent when a process can take a file. */
export interface Ask {
  /** Memory of the process. */
  readonly rssBytes: number
}

/** A test file; without one, the process ends. */
export interface Answer {
  readonly path?: string
}

/**
 * The program of a test process: loads the test files that the runner names, one after another, and asks for the next
 * one when the tests of the previous one have ended.
 */
let resume: (() => void) | undefined

// Files load here, outside of any test: node:test adds tests that a test loads to that test.
process.on('message', ({ path }: Answer) => {
  if (path === undefined) return resume ? resume() : process.exit()
  void import(pathToFileURL(resolve(path)).href)
    .catch((error: unknown) => {
      test(`${path}: does not load`, () => {
        throw error
      })
    })
    .then(askBehindItsTests)
})
// node:test reports only the message of such an error; the stack shows its origin.
process.on('unhandledRejection', (reason) => console.error('Error outside of a test:', reason))
// Exits if the runner was killed.
process.on('disconnect', () => process.exit(1))
ask()

/** Registers a test that waits for the next file: without a running test, node:test would end. */
function askBehindItsTests(): void {
  test(END_OF_FILE, () => {
    forgetTests(executionAsyncResource())
    const { promise, resolve } = Promise.withResolvers<void>()
    resume = resolve
    ask()
    return promise
  })
  resume?.()
}

function ask(): void {
  process.send!({ rssBytes: process.memoryUsage.rss() } satisfies Ask)
}

/** A test, suite or hook of node:test. */
interface NodeTest {
  fn: unknown
  readonly parent?: NodeTest
  readonly subtests?: readonly NodeTest[]
  readonly hooks?: Readonly<Record<string, unknown>>
}

/** Number of tests at the top whose functions were dropped. */
let forgotten = 0

/**
 * Drops the functions of the tests before the one that runs. node:test keeps them all, and with them the servers that
 * they closed: five megabytes per file, which slows down every garbage collection and every start of a process. Does
 * nothing in versions of Node.js with other internals.
 */
function forgetTests(running: Partial<NodeTest>): void {
  const root = running.parent
  const kept = new Set(hooksOf(root))
  const forget = (past: NodeTest): void => {
    past.fn = undefined
    for (const hook of hooksOf(past)) if (!kept.has(hook)) hook.fn = undefined
    past.subtests?.forEach(forget)
  }
  const past = (root?.subtests ?? []).slice(forgotten)
  for (const nodeTest of past) if (nodeTest !== running) forget(nodeTest)
  forgotten += past.length - 1
}

function hooksOf(test: NodeTest | undefined): NodeTest[] {
  return Object.values(test?.hooks ?? {}).flatMap((hooks) => (Array.isArray(hooks) ? (hooks as NodeTest[]) : []))
}
