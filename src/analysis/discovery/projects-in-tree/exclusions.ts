import { type GlobBudget, Globs } from './glob.ts'

/** Excluded by default. */
export const DEFAULT_EXCLUSIONS = ['fixtures', 'tests', '__tests__', 'node_modules'] as const

const MAX_NAMES = 10
const MAX_CHARACTERS = 100

/** Parses comma-separated folder names; an error text for others. An empty text excludes nothing. */
export function parseExclusions(text: string): { names: string[] } | { problem: string } {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length > MAX_NAMES) return { problem: `names ${names.length} folders; ${MAX_NAMES} are the most` }
  const long = names.find((name) => name.length > MAX_CHARACTERS)
  if (long !== undefined) return { problem: `holds a name of more than ${MAX_CHARACTERS} characters` }
  return { names }
}

/** Returns a test of paths that have a folder of one of the names; `*` and `?` work as in a shell. */
export function createExclusionTest(names: readonly string[], budget: GlobBudget): (path: string) => boolean {
  const parts = names.map((name) => name.split('/').filter((part) => part !== '' && part !== '.' && part !== '**'))
  const patterns = parts.filter(({ length }) => length > 0).map((segments) => `**/${segments.join('/')}`)
  const globs = new Globs(patterns, budget)
  return (path) => globs.matchingLevels(path).some((ends, level, { length }) => level < length - 1 && ends.length > 0)
}
