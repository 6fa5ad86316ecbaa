import { matchesGlob } from './glob.ts'

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

/** Returns true if a folder on the path has one of the names; `*` and `?` work as in a shell. */
export function isExcluded(path: string, names: readonly string[]): boolean {
  const folders = path.split('/').slice(0, -1)
  return names.some((name) => {
    const wanted = name.split('/').filter((part) => part !== '' && part !== '.' && part !== '**')
    return wanted.length > 0 && folders.some((_, at) => wanted.every((part, next) => fits(folders[at + next], part)))
  })
}

function fits(folder: string | undefined, part: string): boolean {
  return folder !== undefined && matchesGlob(folder, part.replaceAll('/', ''))
}
