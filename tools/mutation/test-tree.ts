/**
 * Stands for `node:test` in the process that runs mutants: collects the tests of the files that import it, so that some
 * of them can run again and again. Supports the part of the interface that this project's tests use.
 */
import { mock } from 'node:test'

export { mock }

type Body = (context: TestContext) => unknown

interface Options {
  readonly skip?: boolean | string
}

/** The context that a test receives. */
export interface TestContext {
  readonly name: string
  readonly mock: typeof mock
  after(body: () => unknown): void
  diagnostic(message: string): void
  skip(message?: string): void
}

export interface Suite {
  readonly kind: 'suite'
  readonly name: string
  readonly parent: Suite | undefined
  readonly children: (Suite | Leaf)[]
  readonly hooks: Readonly<Record<'before' | 'after' | 'beforeEach' | 'afterEach', Body[]>>
}

export interface Leaf {
  readonly kind: 'test'
  readonly id: number
  readonly name: string
  readonly parent: Suite
  readonly body: Body
}

/** Every test of the files that were imported, by its id. */
export const leaves: Leaf[] = []

/** Hooks of modules that several test files share; they run when the process ends. */
export const lastHooks: Body[] = []

let current = newSuite('', undefined)

/** Imports a test file and returns its tests. */
export async function collect(name: string, load: () => Promise<unknown>): Promise<Suite> {
  const file = newSuite(name, undefined)
  current = file
  await load()
  return file
}

function newSuite(name: string, parent: Suite | undefined): Suite {
  return { kind: 'suite', name, parent, children: [], hooks: { before: [], after: [], beforeEach: [], afterEach: [] } }
}

function register(name: string, ...rest: readonly (Options | Body)[]): void {
  const { skip, body } = read(rest)
  if (skip || body === undefined) return
  const leaf: Leaf = { kind: 'test', id: leaves.length, name, parent: current, body }
  leaves.push(leaf)
  current.children.push(leaf)
}

function registerSuite(name: string, ...rest: readonly (Options | Body)[]): void {
  const { skip, body } = read(rest)
  if (skip || body === undefined) return
  const suite = newSuite(name, current)
  current.children.push(suite)
  current = suite
  const result = (body as () => unknown)()
  if (result instanceof Promise) throw new TypeError(`The suite ${name} is asynchronous: that is not supported.`)
  current = suite.parent!
}

function read(rest: readonly (Options | Body)[]): { skip: boolean; body: Body | undefined } {
  const options = rest.find((value) => typeof value === 'object')
  return { skip: Boolean(options?.skip), body: rest.find((value) => typeof value === 'function') }
}

export const test = Object.assign(register, { skip: () => {}, todo: () => {} })
export const it = test
export const describe = Object.assign(registerSuite, { skip: () => {}, todo: () => {} })
export const suite = describe
export default Object.assign(register, { test, it, describe, suite, mock })

export const before = (body: Body) => void current.hooks.before.push(body)
export const beforeEach = (body: Body) => void current.hooks.beforeEach.push(body)
export const afterEach = (body: Body) => void current.hooks.afterEach.push(body)

export function after(body: Body): void {
  const isShared = current.parent === undefined && !new Error().stack?.includes('.test.ts')
  const hooks = isShared ? lastHooks : current.hooks.after
  hooks.push(body)
}
