import { globSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** A part of the source whose tests are measured by mutants, as patterns of files. */
export interface Area {
  readonly name: string
  readonly sources: readonly string[]
  /** The tests that are to notice changes, in one process. Each takes time for each mutant that it reaches. */
  readonly tests: readonly string[]
}

export const areas: readonly Area[] = [
  { name: 'versions', sources: ['src/analysis/versions/*.ts'], tests: ['src/analysis/versions/!(hostile).test.ts'] },
  { name: 'findings', sources: ['src/analysis/findings/*.ts'], tests: ['src/analysis/findings/*.test.ts'] },
  {
    name: 'access',
    sources: ['src/foundation/access/*.ts', 'src/foundation/http/access.ts'],
    tests: ['src/foundation/access/*.test.ts', 'src/foundation/http/access.test.ts'],
  },
  {
    name: 'credentials',
    sources: ['src/features/credentials/*.ts'],
    tests: [
      'src/features/credentials/*.test.ts',
      'src/features/api-keys/*.test.ts',
      'src/features/app-installs/secrets.test.ts',
      'src/features/service-accounts/{rotation,secrets}.test.ts',
    ],
  },
  {
    name: 'ignores',
    sources: ['src/features/ignores/*.ts'],
    // `everywhere` takes long and tests what other features make of stored ignores.
    tests: ['src/features/ignores/!(everywhere).test.ts'],
  },
  {
    name: 'pagination',
    sources: ['src/foundation/db/keyset.ts', 'src/foundation/http/pages.ts', 'src/features/projects/numbered-pages.ts'],
    tests: [
      'src/foundation/db/keyset.test.ts',
      'src/foundation/http/pages.test.ts',
      'src/features/projects/numbered-pages.test.ts',
    ],
  },
  {
    name: 'jobs',
    sources: ['src/foundation/jobs/*.ts'],
    tests: ['src/foundation/jobs/*.test.ts'],
  },
  {
    name: 'advisories',
    sources: ['src/analysis/advisories/*.ts'],
    tests: ['src/analysis/advisories/*.test.ts', 'src/analysis/findings/match-graph.test.ts'],
  },
]

/** An area's files. */
export interface Selection {
  readonly name: string
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

/**
 * Returns the files of the named areas, or of the areas to which named source files belong. `tests` are patterns that
 * replace the tests of the areas.
 */
export function selectAreas(names: readonly string[], tests?: readonly string[]): Selection[] {
  return selectWhole(names).map((selection) => ({ ...selection, ...(tests && { tests: globSync([...tests]).sort() }) }))
}

function selectWhole(names: readonly string[]): Selection[] {
  const wanted = names.length === 0 ? areas.map(({ name }) => name) : names
  return wanted.map((name) => {
    const area = areas.find((known) => known.name === name)
    if (area) return select(area)
    const isFile = statSync(name, { throwIfNoEntry: false })?.isFile()
    if (!isFile)
      throw new Error(`${name} is neither an area (${areas.map((known) => known.name).join(', ')}) nor a file.`)
    const around = areas.find(({ sources }) => sourcesOf(sources).includes(name)) ?? {
      name,
      tests: [`${dirname(name)}/*.test.ts`],
    }
    return { ...select({ ...around, sources: [name] }), name }
  })
}

function select({ name, sources, tests }: Area): Selection {
  return { name, sources: sourcesOf(sources), tests: globSync([...tests]).sort() }
}

function sourcesOf(patterns: readonly string[]): string[] {
  return globSync([...patterns])
    .filter((path) => !/\.test\.ts$|\.generated\.ts$/.test(path))
    .sort()
}
