import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The most demanding real part that a test file starts; `component` is a test with JSX, which needs a document. */
export type TestKind = 'browser' | 'process' | 'engine' | 'component' | 'plain'

export interface TestFile {
  readonly path: string
  readonly kind: TestKind
  /** Relative expected duration, for balancing only. */
  readonly weight: number
}

/** Seconds that a kilobyte of a test file takes, roughly, by the parts it starts. */
const WEIGHTS: Record<TestKind, number> = { browser: 2.5, process: 0.7, engine: 0.1, component: 0.3, plain: 0.02 }

/**
 * Seconds of files whose size does not indicate their duration: they wait for leases, visit every page or start git
 * often.
 */
export const LONG_FILES: Readonly<Record<string, number>> = {
  'src/features/imports/run-import.test.ts': 60,
  'src/features/issue-index/matching/matching-killed.test.ts': 60,
  'src/foundation/git/git-hostile.test.ts': 60,
  'src/foundation/git/git-repositories.test.ts': 60,
  'test/e2e/console-accessibility.test.ts': 80,
  'test/e2e/console-accessibility-moments.test.ts': 45,
  'test/e2e/import-kill.test.ts': 90,
  'test/e2e/object-storage.test.ts': 100,
}

const NOT_OURS = ['**/node_modules/**', '**/dist/**']

/**
 * Returns the test files that match the given paths, folders or patterns, or all test files without any.
 * Throws when a pattern matches nothing, so that a typing error does not pass as an empty run.
 */
export function selectTestFiles(patterns: readonly string[]): TestFile[] {
  const globs = patterns.length === 0 ? ['{src,test,web,tools}/**/*.test.{ts,tsx}'] : patterns
  const paths = globs.flatMap((pattern) => {
    const paths = expand(pattern).filter((path) => /\.test\.tsx?$/.test(path))
    if (paths.length === 0) throw new Error(`No test file matches ${pattern}.`)
    return paths
  })
  return [...new Set(paths)].sort().map(describeFile)
}

function expand(pattern: string): string[] {
  if (statSync(pattern, { throwIfNoEntry: false })?.isDirectory()) {
    return globSync(`${pattern}/**/*.test.{ts,tsx}`, { exclude: NOT_OURS })
  }
  return globSync(pattern, { exclude: NOT_OURS })
}

function describeFile(path: string): TestFile {
  const reached = reachableTexts(path)
  const kind = path.endsWith('.tsx') ? 'component' : kindOf([...reached.values()])
  return { path, kind, weight: LONG_FILES[path] ?? (WEIGHTS[kind] * statSync(path).size) / 1000 }
}

/** A database, a server, and the program that test threads run. */
const ENGINE_PARTS = ['#foundation/db/database.ts', '#test/servers/app.ts', '#test/servers/program.ts']

function kindOf(texts: readonly string[]): TestKind {
  const imports = (name: string) => texts.some((text) => text.includes(`from '${name}'`))
  if (imports('playwright-core')) return 'browser'
  if (imports('node:child_process')) return 'process'
  return ENGINE_PARTS.some(imports) ? 'engine' : 'plain'
}

/**
 * Returns the texts, by path, of a test file and of all files of `test/` and `tools/` that it imports, directly or not.
 */
function reachableTexts(path: string, texts = new Map<string, string>()): Map<string, string> {
  if (texts.has(path)) return texts
  const text = readFileSync(path, 'utf8')
  texts.set(path, text)
  for (const [, target] of text.matchAll(/(?:from|import)\s+'([^']+)'/g)) {
    const file = resolveOwn(path, target!)
    // A test about programs may contain the text of an import in a string.
    if (file && /^(test|tools)\//.test(file) && existsSync(file)) reachableTexts(file, texts)
  }
  return texts
}

function resolveOwn(importer: string, target: string): string | undefined {
  if (target.startsWith('#test/')) return target.replace('#test/', 'test/support/')
  return target.startsWith('.') && target.endsWith('.ts') ? relative('.', join(dirname(importer), target)) : undefined
}
